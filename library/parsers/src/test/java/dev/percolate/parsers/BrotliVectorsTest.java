package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** Every stream is inflated or rejected as by the decoder of Node. */
final class BrotliVectorsTest {

  private static final int LIMIT = 1 << 26;

  @Test
  void streamsAreInflatedOrRejectedAsRecorded() throws IOException {
    List<String> lines = lines();
    assertTrue(lines.size() > 500, () -> lines.size() + " vectors");
    for (String line : lines) {
      String[] words = line.split(" ", 3);
      assertEquals(words[1], outcome(Base64.getDecoder().decode(words[2])), words[0]);
    }
  }

  /** RFC 7932 appendix A names this checksum. */
  @Test
  void theDictionaryIsThatOfTheStandard() throws IOException {
    try (InputStream words = BrotliDictionary.class.getResourceAsStream("brotli-dictionary.bin")) {
      assertEquals("122784:5136cb04", summary(words.readAllBytes()));
    }
  }

  /** Meta-blocks of one byte each that describe 256 types of literals and a map for all of them. */
  @Test
  void largeDescriptionsOfLittleDataCostLittleMemory() {
    byte[] stream = mapsOfLiterals(1000);
    outcome(stream); // classes are loaded
    assertEquals("1000:", outcome(stream).substring(0, 5));
    assertTrue(Allocation.of(() -> outcome(stream)) < 1 << 20);
  }

  private static String outcome(byte[] compressed) {
    Bytes out = new Bytes(LIMIT, -1, new Bytes.MemoryShare(all -> {}));
    try {
      Brotli.inflate(compressed, out);
    } catch (IOException e) {
      return "error";
    }
    return summary(out.toArray());
  }

  private static String summary(byte[] bytes) {
    CRC32 sum = new CRC32();
    sum.update(bytes);
    return bytes.length + ":" + Long.toHexString(sum.getValue());
  }

  private static byte[] mapsOfLiterals(int blocks) {
    StringBuilder bits = new StringBuilder("0"); // a window of 64 KiB
    String one = "1000" + "000000000"; // a code of symbol 0 alone, of nine bits
    for (int i = 0; i < blocks; i++) {
      bits.append("0" + "00" + "0".repeat(16) + "0"); // not the last, one byte, compressed
      bits.append("1" + "111" + "1111111"); // 256 types of literals,
      bits.append(one).append("1000" + "00000").append("00"); // with codes of types and counts
      bits.append("0" + "0" + "00" + "0000"); // one type of the others, plain distances
      bits.append("00".repeat(256)); // modes
      bits.append("1" + "000"); // two codes of literals,
      bits.append("1" + "0111"); // and runs of up to 15 bits, by a code of symbols 0 and 14
      bits.append("1010" + "00000" + "01110"); // which is 0 and 1
      bits.append("1" + "0".repeat(14)); // 16,384 zeros,
      bits.append("1"); // moved to the front
      bits.append("0"); // one code of distances
      bits.append("1000" + "00000000").append("1000" + "00000000"); // literals
      bits.append("1000" + "0001000000"); // commands: 8, one literal
      bits.append("1000" + "000000"); // distances
    }
    bits.append("11");
    return bytes(bits);
  }

  private static byte[] bytes(CharSequence bits) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int value = 0;
    for (int i = 0; i < bits.length(); i++) {
      value |= (bits.charAt(i) - '0') << (i & 7);
      if ((i & 7) == 7 || i == bits.length() - 1) {
        bytes.write(value);
        value = 0;
      }
    }
    return bytes.toByteArray();
  }

  private static List<String> lines() throws IOException {
    try (InputStream in =
            Objects.requireNonNull(
                BrotliVectorsTest.class.getResourceAsStream("brotli-vectors.txt"));
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))) {
      return reader.lines().filter(line -> !line.startsWith("#")).toList();
    }
  }
}

package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.HexFormat;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Malformed bytes in multi-byte charsets: decoders of the WHATWG Encoding Standard (sections 10 to
 * 14) keep an ASCII byte that cannot follow a lead byte.
 */
final class MalformedMultiByteTest {

  private static final String REPLACEMENT = "\ufffd";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "utf-8",
        "shift_jis",
        "euc-jp",
        "gb2312",
        "gbk",
        "gb18030",
        "euc-kr",
        "cp950",
        "big5"
      })
  void asciiAfterABadLeadByteIsKept(String charset) {
    Function<byte[], String> decoder = decoder(charset);
    for (int lead = 0x80; lead <= 0xFF; lead++) {
      for (int ascii = 0; ascii < 0x80; ascii++) {
        byte[] bytes = {'A', (byte) lead, (byte) ascii, '\n'};
        String text = decoder.apply(bytes);
        int replaced = text.indexOf(REPLACEMENT);
        if (replaced >= 0) {
          String rest = "" + (char) ascii + '\n';
          assertEquals("A" + REPLACEMENT + rest, text, () -> HexFormat.of().formatHex(bytes));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"utf-8", "shift_jis", "euc-jp", "gb2312", "gb18030", "euc-kr", "big5"})
  void noReplacedSequenceContainsALineFeedOrAQuote(String charset) {
    Function<byte[], String> decoder = decoder(charset);
    Random random = new Random(5);
    for (int run = 0; run < 20_000; run++) {
      byte[] bytes = new byte[8];
      random.nextBytes(bytes);
      // Neither can be the last byte of a character in any of these charsets.
      bytes[random.nextInt(8)] = '\n';
      bytes[random.nextInt(8)] = '"';
      String text = decoder.apply(bytes);
      for (char c : new char[] {'\n', '"'}) {
        assertEquals(
            count(bytes, c),
            text.chars().filter(found -> found == c).count(),
            () -> HexFormat.of().formatHex(bytes));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "big5,41802242,A\ufffd\"B",
    "big5,41814142,A\ufffdAB",
    "big5,4181FF42,A\ufffdB",
    "euc-jp,41A12242,A\ufffd\"B",
    "euc-jp,418FA12242,A\ufffd\"B",
    "euc-jp,418F2242,A\ufffd\"B",
    "euc-jp,418E2242,A\ufffd\"B",
    "gb18030,41813042,A\ufffd0B",
    "gb18030,4181302242,A\ufffd0\"B",
    "gb18030,4181308140,A\ufffd0\u4e02",
    "gbk,4181FF42,A\ufffdB",
    "gb2312,41813042,A\ufffd0B",
    "shift_jis,41812242,A\ufffd\"B",
    "euc-kr,41812242,A\ufffd\"B"
  })
  void sequenceWithoutACharacterEndsBeforeItsFirstAsciiByte(
      String charset, String hex, String text) {
    assertEquals(text, decoder(charset).apply(HexFormat.of().parseHex(hex)));
  }

  @ParameterizedTest
  @CsvSource({
    "gb18030,418130,A\ufffd0",
    "gb18030,41813081,A\ufffd0\ufffd",
    "gbk,4181,A\ufffd",
    "euc-jp,418FA1,A\ufffd",
    "big5,4181,A\ufffd"
  })
  void cutSequenceAtTheEndKeepsItsAsciiBytes(String charset, String hex, String text) {
    assertEquals(text, decoder(charset).apply(HexFormat.of().parseHex(hex)));
  }

  @ParameterizedTest
  @CsvSource({
    "cp950,A340,\uff57",
    "cp950,FA40,\ufffd@",
    "cp950,8140,\ufffd@",
    "cp950,C6A1,\ufffd",
    "gb2312,A140,\ufffd@",
    "gb2312,AAA1,\ufffd",
    "cp936,F8A1,\ufffd"
  })
  void pairsWithoutAnAssignedCharacterAreMalformed(String charset, String hex, String text) {
    assertEquals(text, decoder(charset).apply(HexFormat.of().parseHex(hex)));
  }

  @ParameterizedTest
  @CsvSource({"gbk,A140,\ue4c6", "shift_jis,F040,\ue000"})
  void privateUseAreasThatTheStandardHasAreKept(String charset, String hex, String text) {
    assertEquals(text, decoder(charset).apply(HexFormat.of().parseHex(hex)));
  }

  private static long count(byte[] bytes, char c) {
    long count = 0;
    for (byte one : bytes) {
      count += one == c ? 1 : 0;
    }
    return count;
  }

  private static Function<byte[], String> decoder(String charset) {
    Function<byte[], String> decoder = Charsets.find(charset);
    assertNotNull(decoder);
    return decoder;
  }
}

package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.percolate.http.FrameReader;
import dev.percolate.http.WebSocketException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Reads each case as a whole and in parts of many sizes. The result must be the same. */
final class FrameCasesTest {

  private static final int MOST = FrameCases.MOST;

  /** Records what is read. */
  private static final class Read implements FrameReader.Listener {

    private final StringBuilder all = new StringBuilder();
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private boolean text;

    @Override
    public void begin(boolean isText, boolean compressed) {
      text = isText;
      all.append(isText ? "text" : "bytes").append(compressed ? " compressed " : " ");
      content.reset();
    }

    @Override
    public void data(ByteBuffer piece, boolean last) {
      while (piece.hasRemaining()) {
        content.write(piece.get());
      }
      if (last) {
        all.append(shown(content.toByteArray(), text)).append("; ");
      }
    }

    @Override
    public void ping(byte[] payload) {
      all.append("ping ").append(shown(payload, true)).append("; ");
    }

    @Override
    public void pong(byte[] payload) {
      all.append("pong ").append(shown(payload, true)).append("; ");
    }

    @Override
    public void close(int code, String reason) {
      all.append("close ").append(code).append(' ').append(reason).append("; ");
    }

    private static String shown(byte[] bytes, boolean text) {
      if (bytes.length > 100) {
        return bytes.length + " bytes";
      }
      return text ? new String(bytes, StandardCharsets.UTF_8) : HexFormat.of().formatHex(bytes);
    }
  }

  static String read(byte[] bytes, int most, boolean compression) {
    Read read = new Read();
    FrameReader reader = new FrameReader(true, compression, MOST, MOST);
    try {
      for (int at = 0; at < bytes.length; at += most) {
        int end = Math.min(bytes.length, at + most);
        reader.read(ByteBuffer.wrap(Arrays.copyOfRange(bytes, at, end)), read);
      }
    } catch (WebSocketException e) {
      return read.all + "fails with " + e.code() + ": " + e.reason();
    }
    return read.all + (reader.isOver() ? "over" : "goes on");
  }

  @TestFactory
  Stream<DynamicTest> framesFollowTheStandard() {
    return FrameCases.all().stream().map(one -> dynamicTest(one.name(), () -> check(one)));
  }

  private static void check(FrameCases.Case one) {
    byte[] bytes = one.bytes();
    assertEquals(one.expected(), begun(read(bytes, Math.max(1, bytes.length), one.compression())));
    List<Integer> sizes = new ArrayList<>(List.of(1, 2, 3, 7, 8, 9, 125, 127, 4096));
    for (int size = 1; size <= bytes.length && bytes.length <= 200; size++) {
      sizes.add(size);
    }
    for (int size : sizes) {
      assertEquals(
          one.expected(), begun(read(bytes, size, one.compression())), "in parts of " + size);
    }
  }

  /** Removes an incomplete message: its received part depends on the cuts. */
  private static String begun(String read) {
    return read.replaceAll("(text|bytes)( compressed)? (?=fails|goes|over)", "");
  }

  @Test
  void theSuiteHasManyCases() {
    assertTrue(FrameCases.all().size() >= 200, () -> "too few cases: " + FrameCases.all().size());
  }
}

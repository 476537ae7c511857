package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.percolate.http.Frame;
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

/** Reads each case whole, byte by byte, and in pieces of every size: the same must come of it. */
final class FrameReaderTest {

  private static final int MOST = FrameCases.MOST;

  /** Writes down what is read. */
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
  Stream<DynamicTest> whatTheStandardSaysOfFrames() {
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
          one.expected(), begun(read(bytes, size, one.compression())), "in pieces of " + size);
    }
  }

  /** Drops a message that has begun and is never whole: how much of it has come depends on cuts. */
  private static String begun(String read) {
    return read.replaceAll("(text|bytes)( compressed)? (?=fails|goes|over)", "");
  }

  @Test
  void theSuiteHasManyCases() {
    assertTrue(FrameCases.all().size() >= 200, () -> "only " + FrameCases.all().size());
  }

  @Test
  void theMaskIsTakenOffWhereverAFrameIsCut() throws Exception {
    byte[] payload = new byte[300];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) i;
    }
    ByteBuffer frame = Frame.masked(Frame.BINARY, true, false, 0x01FF80C3, payload);
    for (int cut = 0; cut < frame.capacity(); cut++) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      Read read = new Read();
      FrameReader reader = new FrameReader(true, false, MOST, MOST);
      byte[] bytes = bytes(frame);
      reader.read(ByteBuffer.wrap(bytes, 0, cut), read);
      reader.read(ByteBuffer.wrap(bytes, cut, bytes.length - cut), read);
      out.writeBytes(read.content.toByteArray());
      assertEquals(
          HexFormat.of().formatHex(payload), HexFormat.of().formatHex(out.toByteArray()), "" + cut);
    }
  }

  private static byte[] bytes(ByteBuffer frame) {
    byte[] bytes = new byte[frame.remaining()];
    frame.duplicate().get(bytes);
    return bytes;
  }

  @Test
  void bytesThatMustNotBeChangedAreLeftAsTheyAre() throws Exception {
    ByteBuffer frame =
        Frame.masked(
            Frame.TEXT, true, false, 0x12345678, "hello".getBytes(StandardCharsets.US_ASCII));
    byte[] before = bytes(frame);
    Read read = new Read();
    ByteBuffer shared = frame.asReadOnlyBuffer();
    new FrameReader(true, false, MOST, MOST).read(shared, read);
    assertEquals("text hello; ", read.all.toString());
    assertEquals(0, shared.remaining());
    assertTrue(Arrays.equals(before, bytes(frame)));
  }

  @Test
  void readingStopsWhereTheListenerTakesNoMore() throws Exception {
    ByteArrayOutputStream two = new ByteArrayOutputStream();
    two.writeBytes(FrameCases.frame(0x81, "a"));
    two.writeBytes(FrameCases.frame(0x81, "b"));
    StringBuilder taken = new StringBuilder();
    FrameReader.Listener one =
        new FrameReader.Listener() {
          @Override
          public void begin(boolean text, boolean compressed) {}

          @Override
          public void data(ByteBuffer piece, boolean last) {
            taken.append((char) piece.get());
          }

          @Override
          public void ping(byte[] payload) {}

          @Override
          public void pong(byte[] payload) {}

          @Override
          public void close(int code, String reason) {}

          @Override
          public boolean takesMore() {
            return taken.length() == 0;
          }
        };
    ByteBuffer bytes = ByteBuffer.wrap(two.toByteArray());
    new FrameReader(true, false, MOST, MOST).read(bytes, one);
    assertEquals("a", taken.toString());
    assertEquals(7, bytes.remaining());
  }
}

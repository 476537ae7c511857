package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * RFC 6455 section 5, with unmasked frames, which are readable here. The contract tests of
 * WebSockets use masked frames.
 */
class FrameReaderTest {

  private static final int MOST_OF_FRAME = 70_000;
  private static final int MOST_OF_MESSAGE = 100_000;

  /** Records the events. */
  private static class Read implements FrameReader.Listener {

    final StringBuilder all = new StringBuilder();
    final ByteArrayOutputStream content = new ByteArrayOutputStream();

    @Override
    public void begin(boolean text, boolean compressed) {
      all.append(text ? "text" : "bytes").append(compressed ? ", compressed " : " ");
      content.reset();
    }

    @Override
    public void data(ByteBuffer piece, boolean last) {
      while (piece.hasRemaining()) {
        content.write(piece.get());
      }
      if (last) {
        all.append(shown(content.toByteArray())).append("; ");
      }
    }

    @Override
    public void ping(byte[] payload) {
      all.append("ping ").append(shown(payload)).append("; ");
    }

    @Override
    public void pong(byte[] payload) {
      all.append("pong ").append(shown(payload)).append("; ");
    }

    @Override
    public void close(int code, String reason) {
      all.append("close ").append(code).append(' ').append(reason).append("; ");
    }

    private static String shown(byte[] bytes) {
      return bytes.length > 50
          ? bytes.length + " bytes"
          : new String(bytes, StandardCharsets.UTF_8);
    }
  }

  private static String read(FrameReader reader, byte[] bytes, int size) {
    Read read = new Read();
    try {
      for (int at = 0; at < bytes.length; at += size) {
        int end = Math.min(bytes.length, at + size);
        reader.read(ByteBuffer.wrap(Arrays.copyOfRange(bytes, at, end)), read);
      }
    } catch (WebSocketException e) {
      return read.all.toString()
          + e.code()
          + ": "
          + e.reason()
          + (reader.isOver() ? "" : " - goes on");
    }
    return read.all + (reader.isOver() ? "over" : "");
  }

  /** Reads frames as a whole, and in chunks of one and three bytes. */
  private static void assertRead(String expected, byte[] bytes, boolean compression) {
    for (int size : new int[] {bytes.length, 1, 3}) {
      FrameReader reader = new FrameReader(false, compression, MOST_OF_FRAME, MOST_OF_MESSAGE);
      assertEquals(expected, read(reader, bytes, size).strip(), "in pieces of " + size);
    }
  }

  private static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  @ParameterizedTest
  @CsvSource({
    "8100,text ;",
    "810548656c6c6f,text Hello;",
    "820548656c6c6f,bytes Hello;",
    "010348656c 80026c6f,text Hello;",
    "010348656c 8900 80026c6f,text ping ; Hello;",
    "0100 0000 800161,text a;",
    "0101c3 8001a9,text \u00e9;",
    "810161 810162,text a; text b;",
    "890548656c6c6f,ping Hello;",
    "8a0548656c6c6f,pong Hello;",
    "8800,close 1005 ; over",
    "880203e8,close 1000 ; over",
    "880503e8627965,close 1000 bye; over",
    "8800 8f,close 1005 ; over"
  })
  void framesAreRead(String hex, String expected) {
    assertRead(expected, hex(hex), false);
  }

  @ParameterizedTest
  @CsvSource({
    "9100,1002: a reserved bit is set",
    "a100,1002: a reserved bit is set",
    "c100,1002: a reserved bit is set",
    "8300,1002: unknown opcode",
    "8700,1002: unknown opcode",
    "8b00,1002: unknown opcode",
    "8f00,1002: unknown opcode",
    "0800,1002: fragmented control frame",
    "0900,1002: fragmented control frame",
    "0a00,1002: fragmented control frame",
    "8000,1002: continuation frame without a message",
    "810161 8000,text a; 1002: continuation frame without a message",
    "010161 810162,text 1002: previous message is not complete",
    "8180,1002: frame must not be masked",
    "897e,1002: control frame exceeds 125 bytes",
    "887f,1002: control frame exceeds 125 bytes",
    "817e007d,1002: frame length is not in its shortest form",
    "817f000000000000ffff,1002: frame length is not in its shortest form",
    "817f8000000000010000,1002: frame length exceeds 63 bits",
    "817f0000000000011171,1009: frame exceeds the byte limit of 70000",
    "817fffffffffffffffff,1002: frame length exceeds 63 bits",
    "880103,1002: invalid close code",
    "880203ed,1002: invalid close code",
    "880303e8ff,1007: close reason must be UTF-8",
    "8101ff,text 1007: text must be UTF-8",
    "8101c3,text 1007: text must be UTF-8",
    "0101c3 800141,text 1007: text must be UTF-8"
  })
  void protocolViolationsAreRejected(String hex, String expected) {
    assertRead(expected, hex(hex), false);
  }

  @ParameterizedTest
  @CsvSource({
    "c100,'text, compressed ;'",
    "c201ff,'bytes, compressed \ufffd;'",
    "c101ff,'text, compressed \ufffd;'",
    "4101c3 800128,'text, compressed \ufffd(;'",
    "c101ff 810161,'text, compressed \ufffd; text a;'",
    "4101c3 c00128,'text, compressed 1002: a reserved bit is set'",
    "c900,1002: a reserved bit is set",
    "c800,1002: a reserved bit is set",
    "d100,1002: a reserved bit is set"
  })
  void messagesMayBeCompressedIfNegotiated(String hex, String expected) {
    assertRead(expected, hex(hex), true);
  }

  @ParameterizedTest
  @CsvSource({"125", "126", "127", "65535", "65536", "70000"})
  void lengthsHaveThreeForms(int length) {
    byte[] frame = Frame.of(Frame.BINARY, new byte[length]).array();
    assertRead("bytes " + length + " bytes;", frame, false);
  }

  @Test
  void controlFramesHave125BytesAtMost() {
    assertRead("ping 125 bytes;", Frame.of(Frame.PING, new byte[125]).array(), false);
  }

  @Test
  void messagesHaveALimit() {
    assertRead("bytes 100000 bytes;", message(60_000, 40_000), false);
    assertRead(
        "bytes 1009: message exceeds the byte limit of 100000", message(60_000, 40_001), false);
    assertRead(
        "bytes 100000 bytes; bytes 60001 bytes;",
        join(message(60_000, 40_000), message(60_000, 1)),
        false);
  }

  @Test
  void onlyCompressedMessagesMayBeLongerThanTheLimitForTheirContent() {
    byte[] begin = Frame.of(Frame.BINARY, false, true, new byte[60_000], 0, 60_000).array();
    byte[] most = Frame.of(Frame.CONTINUATION, new byte[41_124]).array();
    byte[] more = Frame.of(Frame.CONTINUATION, new byte[41_125]).array();
    String tooBig = "1009: message exceeds the byte limit of 100000";
    assertRead("bytes, compressed 101124 bytes;", join(begin, most), true);
    assertRead("bytes, compressed " + tooBig, join(begin, more), true);
    assertRead("bytes " + tooBig, message(60_000, 40_001), true);
  }

  /** Creates a message of two fragments. */
  private static byte[] message(int first, int second) {
    return join(
        Frame.of(Frame.BINARY, false, false, new byte[first], 0, first).array(),
        Frame.of(Frame.CONTINUATION, new byte[second]).array());
  }

  private static byte[] join(byte[] a, byte[] b) {
    byte[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return both;
  }

  @Test
  void tooManyEmptyFragmentsAreRejected() {
    assertRead("text a;", hex("0100" + "0000".repeat(999) + "800161"), false);
    assertRead(
        "text a;",
        hex("0100" + "0000".repeat(999) + "000161" + "0000".repeat(999) + "8000"),
        false);
    String rejected = "text 1008: too many empty fragments";
    assertRead(rejected, hex("0100" + "0000".repeat(1000)), false);
    assertRead("text ; " + rejected, hex("8100" + "0100" + "0000".repeat(1000)), false);
  }

  @Test
  void framesOfClientsAreMasked() {
    FrameReader reader = new FrameReader(true, false, MOST_OF_FRAME, MOST_OF_MESSAGE);
    byte[] hello = hex("818537fa213d7f9f4d5158");
    assertEquals("text Hello; ", read(reader, hello, 1));
    assertEquals("text Hello; ", read(reader, hello, hello.length));
    assertEquals("1002: frame must be masked", read(reader, hex("8100"), 1));
    assertEquals("over", read(reader, hello, hello.length));
  }

  @Test
  void framesAreUnmaskedAcrossChunks() throws WebSocketException {
    byte[] payload = new byte[300];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) i;
    }
    byte[] masked = Frame.masked(Frame.BINARY, true, false, 0x01FF80C3, payload).array();
    for (int cut = 0; cut < masked.length; cut++) {
      byte[] frame = masked.clone(); // the reader changes it
      Read read = new Read();
      FrameReader reader = new FrameReader(true, false, MOST_OF_FRAME, MOST_OF_MESSAGE);
      reader.read(ByteBuffer.wrap(frame, 0, cut), read);
      reader.read(ByteBuffer.wrap(frame, cut, frame.length - cut), read);
      assertArrayEquals(payload, read.content.toByteArray(), "cut at " + cut);
    }
  }

  @Test
  void readOnlyBytesAreNotChanged() throws WebSocketException {
    byte[] frame = hex("0000 818537fa213d7f9f4d5158");
    byte[] before = frame.clone();
    ByteBuffer shared = ByteBuffer.wrap(frame).position(2).asReadOnlyBuffer();
    Read read = new Read();
    new FrameReader(true, false, MOST_OF_FRAME, MOST_OF_MESSAGE).read(shared, read);
    assertEquals("text Hello; ", read.all.toString());
    assertEquals(0, shared.remaining());
    assertArrayEquals(before, frame);
  }

  @Test
  void readingStopsWhenTheListenerWantsNoMore() throws WebSocketException {
    Read one =
        new Read() {
          @Override
          public boolean takesMore() {
            return content.size() == 0;
          }
        };
    FrameReader reader = new FrameReader(false, false, MOST_OF_FRAME, MOST_OF_MESSAGE);
    ByteBuffer bytes = ByteBuffer.wrap(hex("810161 810162"));
    reader.read(bytes, one);
    assertEquals("text a; ", one.all.toString());
    assertEquals(3, bytes.remaining());
    Read rest = new Read();
    reader.read(bytes, rest);
    assertEquals("text b; ", rest.all.toString());
  }

  /** Messages are not buffered: chunks are passed on as they arrive. */
  @Test
  @SuppressWarnings("ByteBufferBackingArray") // only the length of the array is read
  void aSmallMessageDoesNotKeepTheChunkItArrivedIn() throws Exception {
    byte[] chunk = new byte[(16 << 10) | 1];
    chunk[0] = (byte) 0x81;
    chunk[1] = 1;
    chunk[2] = 'a';
    for (int at = 3; at < chunk.length; at += 2) {
      chunk[at] = (byte) 0x89; // empty pings
    }
    List<Integer> kept = new ArrayList<>();
    Read read =
        new Read() {
          @Override
          public void data(ByteBuffer piece, boolean last) {
            kept.add(piece.array().length);
          }
        };
    new FrameReader(false, false, MOST_OF_FRAME, MOST_OF_MESSAGE)
        .read(ByteBuffer.wrap(chunk), read);
    assertEquals(List.of(1), kept);
  }

  @Test
  void chunksArePassedOnAsTheyArrive() throws WebSocketException {
    Read read = new Read();
    FrameReader reader = new FrameReader(false, false, MOST_OF_FRAME, MOST_OF_MESSAGE);
    reader.read(ByteBuffer.wrap(hex("8105 4865")), read);
    assertEquals("He", read.content.toString(StandardCharsets.UTF_8));
    assertEquals("text ", read.all.toString());
  }
}

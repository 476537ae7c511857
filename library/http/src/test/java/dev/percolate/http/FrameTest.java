package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RFC 6455 sections 5.2 and 5.7. */
class FrameTest {

  private static final byte[] HELLO = "Hello".getBytes(StandardCharsets.US_ASCII);

  private static String hex(ByteBuffer frame) {
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void framesOfServers() {
    assertEquals("810548656c6c6f", hex(Frame.of(Frame.TEXT, HELLO)));
    assertEquals("890548656c6c6f", hex(Frame.of(Frame.PING, HELLO)));
    assertEquals("8800", hex(Frame.of(Frame.CLOSE, new byte[0])));
    assertEquals("0103656c6c", hex(Frame.of(Frame.TEXT, false, false, HELLO, 1, 3)));
    assertEquals("4103656c6c", hex(Frame.of(Frame.TEXT, false, true, HELLO, 1, 3)));
    assertEquals("80016f", hex(Frame.of(Frame.CONTINUATION, true, false, HELLO, 4, 1)));
  }

  @Test
  void framesOfClients() {
    assertEquals(
        "818537fa213d7f9f4d5158", hex(Frame.masked(Frame.TEXT, true, false, 0x37fa213d, HELLO)));
    assertEquals(
        "418537fa213d7f9f4d5158", hex(Frame.masked(Frame.TEXT, false, true, 0x37fa213d, HELLO)));
  }

  @ParameterizedTest
  @CsvSource({
    "125,827d,82fd",
    "126,827e007e,82fe007e",
    "65535,827effff,82feffff",
    "65536,827f0000000000010000,82ff0000000000010000"
  })
  void lengthsAreWrittenInTheirShortestForm(int length, String head, String maskedHead) {
    String frame = hex(Frame.of(Frame.BINARY, new byte[length]));
    assertEquals(head + "00".repeat(length), frame);
    String masked = hex(Frame.masked(Frame.BINARY, true, false, 0, new byte[length]));
    assertEquals(maskedHead + "00".repeat(4 + length), masked);
  }
}

package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 7692 section 7.2: compressed messages are decompressed, and invalid data is rejected. */
class MessageInflaterTest {

  /** The examples of section 7.2.3, and an empty message. */
  @ParameterizedTest
  @CsvSource({
    "f248cdc9c90700,Hello",
    "000500faff48656c6c6f00,Hello",
    "f348cdc9c90700,Hello",
    "f348cdc9c9070000,Hello",
    "f24805000000ffffcac9c90700,Hello",
    "00,''",
    "0300,''"
  })
  void examplesOfTheStandardAreDecompressed(String hex, String text) throws WebSocketException {
    assertEquals(text, inflated(HexFormat.of().parseHex(hex), 5));
  }

  private static String inflated(byte[] compressed, long most) throws WebSocketException {
    return new String(MessageInflater.whole(compressed, most), StandardCharsets.UTF_8);
  }

  @Test
  void messagesAreCompressedAsInTheStandard() {
    byte[] hello = "Hello".getBytes(StandardCharsets.US_ASCII);
    assertEquals("f248cdc9c90700", HexFormat.of().formatHex(MessageDeflater.whole(hello)));
    assertEquals("00", HexFormat.of().formatHex(MessageDeflater.whole(new byte[0])));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 8191, 8192, 8193, 40_000})
  void compressedMessagesAreDecompressed(int length) throws WebSocketException {
    byte[] random = new byte[length];
    new Random(length).nextBytes(random);
    byte[] plain = new byte[length];
    for (byte[] message : new byte[][] {random, plain}) {
      byte[] compressed = MessageDeflater.whole(message);
      assertArrayEquals(message, MessageInflater.whole(compressed, length));
      WebSocketException rejected =
          assertThrows(
              WebSocketException.class, () -> MessageInflater.whole(compressed, length - 1));
      assertEquals(CloseCode.TOO_BIG, rejected.code());
      assertEquals("message exceeds the byte limit of " + (length - 1), rejected.reason());
    }
    assertTrue(MessageDeflater.whole(plain).length < 200, "hardly compressed");
  }

  @Test
  void messagesAreCompressedInChunks() throws WebSocketException {
    byte[] text = "one two three ".repeat(100).getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try (MessageDeflater deflater = new MessageDeflater()) {
      all.writeBytes(deflater.fragment(text, 0, 500, false));
      assertEquals(0, deflater.fragment(text, 500, 0, false).length);
      all.writeBytes(deflater.fragment(text, 500, 900, false));
      all.writeBytes(deflater.fragment(text, 1400, 0, true));
    }
    assertEquals(new String(text, StandardCharsets.US_ASCII), inflated(all.toByteArray(), 1400));
  }

  @Test
  void messagesAreDecompressedInChunks() throws WebSocketException {
    byte[] text = "one two three ".repeat(100).getBytes(StandardCharsets.US_ASCII);
    byte[] compressed = MessageDeflater.whole(text);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] some = new byte[99];
    try (MessageInflater inflater = new MessageInflater(text.length)) {
      for (int at = 0; at < compressed.length; at++) {
        boolean last = at == compressed.length - 1;
        ByteBuffer piece = ByteBuffer.wrap(compressed, at, 1);
        assertFalse(inflater.isOver());
        inflater.input(piece, last);
        assertEquals(1, piece.remaining());
        for (int count = inflater.read(some); count > 0; count = inflater.read(some)) {
          all.write(some, 0, count);
        }
        assertEquals(last, inflater.isOver());
      }
    }
    assertArrayEquals(text, all.toByteArray());
  }

  @ParameterizedTest
  @ValueSource(strings = {"07", "ffffff", "000500ffff48656c6c6f00"})
  void invalidCompressedDataIsRejected(String hex) {
    WebSocketException rejected =
        assertThrows(WebSocketException.class, () -> inflated(HexFormat.of().parseHex(hex), 1000));
    assertEquals(CloseCode.INVALID_DATA, rejected.code());
    assertEquals("invalid compressed data", rejected.reason());
  }

  @Test
  void closedCodersCannotBeUsed() {
    MessageDeflater deflater = new MessageDeflater();
    deflater.close();
    deflater.close();
    assertThrows(IllegalStateException.class, () -> deflater.fragment(new byte[1], 0, 1, true));
    MessageInflater inflater = new MessageInflater(1);
    inflater.close();
    inflater.close();
    assertThrows(IllegalStateException.class, () -> inflater.read(new byte[1]));
  }

  /** An incomplete message does not affect the next one. */
  @Test
  void messagesAreIndependent() throws WebSocketException {
    byte[] hello = "Hello".getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < 3; i++) {
      try (MessageDeflater left = new MessageDeflater()) {
        assertTrue(left.fragment(hello, 0, 5, false).length > 0);
      }
      assertEquals("f248cdc9c90700", HexFormat.of().formatHex(MessageDeflater.whole(hello)));
      try (MessageInflater left = new MessageInflater(5)) {
        left.input(ByteBuffer.wrap(Arrays.copyOf(MessageDeflater.whole(hello), 3)), false);
        assertTrue(left.read(new byte[5]) < 5);
      }
      assertEquals("Hello", inflated(MessageDeflater.whole(hello), 5));
    }
  }
}

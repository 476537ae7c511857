package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.http.HttpError;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BytesTest {

  private static final byte[] GIVEN = "xxhello worldxx".getBytes(StandardCharsets.US_ASCII);

  @ParameterizedTest
  @ValueSource(longs = {-1, 0, 5, 11, 12, 4000})
  void aChunkWithinAnArrayIsAcceptedWhateverLengthIsAnnounced(long expected) {
    Bytes bytes = new Bytes(100, expected, new Bytes.MemoryShare(all -> {}));
    ByteBuffer piece = ByteBuffer.wrap(GIVEN, 1, 13).slice().position(1).limit(12);
    bytes.add(piece);
    assertFalse(piece.hasRemaining());
    assertEquals(11, bytes.size());
    assertEquals("hello world", new String(bytes.toArray(), StandardCharsets.US_ASCII));
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 5, 11})
  void furtherPiecesFollowTheFirst(long expected) {
    Bytes bytes = new Bytes(100, expected, new Bytes.MemoryShare(all -> {}));
    bytes.add(ByteBuffer.wrap(GIVEN, 2, 5));
    bytes.add(ByteBuffer.allocateDirect(1).put((byte) ' ').flip());
    bytes.add(ByteBuffer.wrap(GIVEN, 8, 5));
    assertEquals("hello world", new String(bytes.toArray(), StandardCharsets.US_ASCII));
  }

  @Test
  void receivedBytesAreCopied() {
    byte[] given = {1, 2};
    Bytes bytes = new Bytes(2, 2, new Bytes.MemoryShare(all -> {}));
    bytes.add(ByteBuffer.wrap(given));
    given[0] = 9;
    assertArrayEquals(new byte[] {1, 2}, bytes.toArray());
  }

  @Test
  void aFirstPieceBeyondTheLimitIsRejected() {
    Bytes bytes = new Bytes(10, 11, new Bytes.MemoryShare(all -> {}));
    HttpError error = assertThrows(HttpError.class, () -> bytes.add(ByteBuffer.wrap(GIVEN, 2, 11)));
    assertEquals(413, error.status());
    assertEquals(0, bytes.size());
  }

  @Test
  void anEmptyPieceAddsNothing() {
    Bytes bytes = new Bytes(0, 0, new Bytes.MemoryShare(all -> {}));
    bytes.add(ByteBuffer.wrap(GIVEN, 3, 0));
    assertEquals(0, bytes.toArray().length);
  }
}

package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.middleware.compression.DeflateFilter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

final class DeflateFilterTest {

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  @Test
  void aSecondFlushWritesNothing() throws IOException {
    DeflateFilter filter = new DeflateFilter(true, 6);
    assertEquals(true, filter.flush(ByteBuffer.wrap(new byte[10])).hasRemaining());
    assertFalse(filter.flush(NOTHING).hasRemaining());
    filter.close();
  }

  @Test
  void onlyTheRemainingBytesOfABufferAreRead() throws IOException {
    DeflateFilter filter = new DeflateFilter(true, 6);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteBuffer piece = ByteBuffer.wrap("xabcx".getBytes(StandardCharsets.UTF_8), 1, 3);
    add(out, filter.write(piece));
    assertEquals(3, piece.remaining(), "the caller's buffer is unchanged");
    add(out, filter.end(piece.asReadOnlyBuffer()));
    byte[] body = new GZIPInputStream(new ByteArrayInputStream(out.toByteArray())).readAllBytes();
    assertEquals("abcabc", new String(body, StandardCharsets.UTF_8));
  }

  @Test
  void aClosedFilterRejectsWrites() throws IOException {
    DeflateFilter filter = new DeflateFilter(false, 1);
    filter.write(NOTHING);
    filter.close();
    filter.close();
    assertThrows(ClientDisconnectedException.class, () -> filter.write(NOTHING));
    DeflateFilter ended = new DeflateFilter(false, 1);
    ended.end(NOTHING);
    assertThrows(ClientDisconnectedException.class, () -> ended.write(NOTHING));
  }

  private static void add(ByteArrayOutputStream out, ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    out.writeBytes(copy);
  }
}

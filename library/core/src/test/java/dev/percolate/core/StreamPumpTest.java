package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.ClientDisconnectedException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StreamPumpTest {

  private final FakeExchange exchange = new FakeExchange();

  @Test
  void aPartIsSentInChunksAndTheStreamIsClosed() {
    byte[] content = content(100_000);
    Source source = new Source(content);
    new StreamPump(exchange, source, 90_000).startAt(7);
    assertArrayEquals(Arrays.copyOfRange(content, 7, 90_007), exchange.bytes());
    assertEquals(List.of("write", "write", "end"), exchange.calls);
    assertTrue(source.closed);
  }

  @Test
  void theNextChunkWaitsUntilTheConnectionHasAcceptedTheLast() {
    exchange.slow = true;
    Source source = new Source(content(100_000));
    new StreamPump(exchange, source, 100_000).startAt(0);
    assertEquals(List.of("write"), exchange.calls);
    exchange.drain(null);
    assertEquals(List.of("write", "write"), exchange.calls);
    exchange.drain(new ClientDisconnectedException(null));
    assertEquals(List.of("write", "write", "abort"), exchange.calls);
    assertTrue(source.closed);
  }

  @Test
  void aStreamThatIsTooShortAbortsTheResponse() {
    for (long offset : new long[] {0, 5, 50_000}) {
      FakeExchange cut = new FakeExchange();
      Source source = new Source(content(40_000));
      new StreamPump(cut, source, 40_001).startAt(offset);
      assertEquals("abort", cut.calls.get(cut.calls.size() - 1));
      assertTrue(source.closed && !cut.calls.contains("end"));
    }
  }

  @Test
  void bytesBeyondTheLengthAreNotSent() {
    new StreamPump(exchange, new Source(content(20)), 10).startAt(0);
    assertEquals(10, exchange.bytes().length);
  }

  @Test
  void aStreamThatFailsAbortsTheResponse() {
    InputStream failing =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("lost");
          }

          @Override
          public int read(byte[] into, int offset, int length) throws IOException {
            throw new IOException("lost");
          }
        };
    new StreamPump(exchange, failing, 1).startAt(0);
    assertEquals(List.of("abort"), exchange.calls);
  }

  private static byte[] content(int size) {
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      bytes[i] = (byte) (i * 7 + i / 256);
    }
    return bytes;
  }

  /** Records whether it was closed. */
  private static final class Source extends ByteArrayInputStream {

    private boolean closed;

    Source(byte[] content) {
      super(content);
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}

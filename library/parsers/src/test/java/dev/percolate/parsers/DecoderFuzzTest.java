package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.percolate.http.HttpError;
import java.nio.ByteBuffer;
import java.util.List;

/** Compressed bodies are inflated up to the limit, or rejected, however they are split. */
final class DecoderFuzzTest {

  private static final int LIMIT = 5_000;

  /** The inflated bytes, or the reason for the rejection. */
  private record Outcome(ByteBuffer bytes, int status) {}

  @FuzzTest
  void compressedBodiesAreDecodedUpToTheLimitOrRejected(byte[] data) {
    for (String encoding : List.of("gzip", "deflate", "br", "gzip, gzip")) {
      Outcome whole = inflate(encoding, data, Math.max(1, data.length));
      Outcome cut = inflate(encoding, data, 1 + data.length % 5);
      assertEquals(whole, cut, encoding);
    }
  }

  private static Outcome inflate(String encoding, byte[] data, int size) {
    Bytes bytes = new Bytes(LIMIT, -1, new Bytes.MemoryShare(all -> {}));
    Decoder inflating = Codings.parse(encoding).decoder(bytes);
    try {
      for (int at = 0; at < data.length; at += size) {
        inflating.add(ByteBuffer.wrap(data, at, Math.min(size, data.length - at)));
      }
      inflating.end();
      assertTrue(bytes.size() <= LIMIT);
      return new Outcome(ByteBuffer.wrap(bytes.toArray()), 200);
    } catch (HttpError e) {
      if (e.field("received") instanceof Long received) {
        assertEquals(413, e.status());
        assertTrue(received <= LIMIT + Bytes.BLOCK, () -> received + " bytes");
      } else {
        assertEquals(400, e.status());
      }
      return new Outcome(ByteBuffer.allocate(0), e.status());
    } finally {
      inflating.close();
    }
  }
}

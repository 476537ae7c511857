package dev.percolate.core;

import dev.percolate.engine.Providers;
import dev.percolate.http.HttpError;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decodes bodies in content codings such as gzip (RFC 9110 section 8.4), for readers other than
 * body parsers. The module {@code parsers} has one, found by {@link java.util.ServiceLoader}.
 *
 * <p>It is shared by all threads.
 */
public interface BodyDecoder {

  /**
   * Creates a reader that decodes a body for another reader.
   *
   * @param req the request, whose {@code Content-Encoding} names the codings
   * @param limit the most bytes that the decoded body may have
   * @param reader reads the decoded body
   * @return a reader for {@link Request#read}
   * @throws HttpError 415 {@code encoding.unsupported} if a coding is unknown
   */
  ChunkReader decoding(Request req, long limit, ChunkReader reader);

  /**
   * Returns the decoder of this process.
   *
   * @return null if no module has one
   * @throws IllegalStateException if there is more than one
   */
  static @Nullable BodyDecoder find() {
    return Found.decoder();
  }

  /** Holds the decoder of this process, once it is needed. */
  final class Found {

    /**
     * One decoder or none; null until it is looked up, which is not done in a class initializer.
     */
    private static volatile @Nullable List<BodyDecoder> found;

    private Found() {}

    private static @Nullable BodyDecoder decoder() {
      List<BodyDecoder> known = found;
      if (known == null) {
        ServiceLoader<BodyDecoder> loader = ServiceLoader.load(BodyDecoder.class);
        known = Stream.ofNullable(Providers.find(BodyDecoder.class, loader)).toList();
        found = known;
      }
      return known.isEmpty() ? null : known.get(0);
    }
  }
}

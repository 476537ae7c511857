package dev.percolate.core;

import dev.percolate.engine.Providers;
import dev.percolate.http.HttpError;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses bodies with content codings such as gzip (RFC 9110 section 8.4), for readers other
 * than body parsers. Found by {@link java.util.ServiceLoader}; the module {@code parsers} provides
 * one. Thread-safe.
 */
public interface BodyDecoder {

  /**
   * Creates a reader that decompresses a body for another reader.
   *
   * @param req the request, whose {@code Content-Encoding} names the codings
   * @param limit the maximum size of the decompressed body in bytes
   * @param reader receives the decompressed body
   * @return a reader for {@link Request#read}
   * @throws HttpError 415 {@code encoding.unsupported} if a coding is unknown
   */
  ChunkReader decoding(Request req, long limit, ChunkReader reader);

  /**
   * Returns the decoder of this process.
   *
   * @return the decoder; null if no module provides one
   * @throws IllegalStateException if there is more than one
   */
  static @Nullable BodyDecoder find() {
    return Found.decoder();
  }

  /** Holds the decoder of this process after the first lookup. */
  final class Found {

    /**
     * The decoder in a list, or an empty list; null before the lookup. A class initializer does not
     * look it up, because it would report a failure only once.
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

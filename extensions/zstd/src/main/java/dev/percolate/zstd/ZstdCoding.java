package dev.percolate.zstd;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import dev.percolate.engine.Providers;
import dev.percolate.parsers.ContentCoding;
import java.io.IOException;
import java.io.InputStream;

/**
 * Decompresses bodies with {@code Content-Encoding: zstd} (RFC 8878), of one or more frames.
 *
 * <p>Windows greater than 8 MiB are rejected, as RFC 9659 requires. Truncated bodies, and bodies
 * with other data after the last frame, are malformed.
 */
public final class ZstdCoding implements ContentCoding {

  /** The base-2 logarithm of the maximum window size. */
  private static final int GREATEST_WINDOW = 23;

  /**
   * Creates a coding. Body parsers find it through {@link java.util.ServiceLoader}.
   *
   * @throws IllegalStateException if the library is missing, or does not support this platform
   */
  public ZstdCoding() {
    Providers.requireLibrary(
        "percolate-zstd",
        "com.github.luben:zstd-jni",
        ZstdInputStreamNoFinalizer::recommendedDInSize);
  }

  @Override
  public String name() {
    return "zstd";
  }

  @Override
  public InputStream inflate(InputStream compressed) throws IOException {
    return new ZstdInputStreamNoFinalizer(compressed).setLongMax(GREATEST_WINDOW);
  }
}

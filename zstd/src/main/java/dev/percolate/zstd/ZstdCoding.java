package dev.percolate.zstd;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import dev.percolate.engine.Providers;
import dev.percolate.parsers.ContentCoding;
import java.io.IOException;
import java.io.InputStream;

/**
 * Inflates bodies of {@code Content-Encoding: zstd} (RFC 8878), one or more frames.
 *
 * <p>Windows greater than 8 MiB are refused, as RFC 9659 has it. Bodies that are cut, or followed
 * by what is no frame, are malformed.
 */
public final class ZstdCoding implements ContentCoding {

  /** The greatest window, as a power of two. */
  private static final int GREATEST_WINDOW = 23;

  /**
   * Creates a coding; parsers find it by themselves.
   *
   * @throws IllegalStateException if the library is missing, or has no code for this machine
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

package dev.percolate.zstd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.github.luben.zstd.Zstd;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Checks that any body is decompressed, or rejected with an {@link IOException}. */
final class ZstdCodingFuzzTest {

  private static final int LIMIT = 1 << 20;

  @FuzzTest
  void framesAreInflatedOrRefused(byte[] data) throws IOException {
    try {
      inflate(data);
    } catch (IOException e) {
      assertNotNull(e.getMessage());
    }
    assertArrayEquals(data, inflate(Zstd.compress(data)));
  }

  private static byte[] inflate(byte[] data) throws IOException {
    try (InputStream stream = new ZstdCoding().inflate(new ByteArrayInputStream(data))) {
      return stream.readNBytes(LIMIT);
    }
  }
}

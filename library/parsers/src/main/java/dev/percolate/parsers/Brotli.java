package dev.percolate.parsers;

import java.io.IOException;

/**
 * Decompresses brotli (RFC 7932). Bytes after the end of the stream are ignored. Windows of more
 * than 16 MiB, which are not part of the standard, are rejected.
 */
final class Brotli {

  /** The difference between a power of two and the window size, in bytes (section 9.1). */
  private static final int WINDOW_GAP = 16;

  /** The number of nibbles that means a meta-block of metadata. */
  private static final int METADATA = 3;

  private Brotli() {}

  static void inflate(byte[] compressed, Bytes out) throws IOException {
    BrotliInput in = new BrotliInput(compressed);
    BrotliBlock block = new BrotliBlock(in, out, (1 << windowBits(in)) - WINDOW_GAP);
    boolean last;
    do {
      last = in.readFlag();
      if (!(last && in.readFlag())) {
        readBlock(in, last, block, out);
      }
    } while (!last);
    in.align();
  }

  private static int windowBits(BrotliInput in) throws IOException {
    if (!in.readFlag()) {
      return 16;
    }
    int more = in.read(3);
    if (more > 0) {
      return 17 + more;
    }
    int less = in.read(3);
    if (less == 1) {
      throw new IOException("window larger than 16 MiB");
    }
    return less == 0 ? 17 : 8 + less;
  }

  private static void readBlock(BrotliInput in, boolean last, BrotliBlock block, Bytes out)
      throws IOException {
    int nibbles = in.read(2);
    if (nibbles == METADATA) {
      skipMetadata(in);
      return;
    }
    int length = 1 + readLength(in, 4 + nibbles, 4, nibbles > 0);
    if (!last && in.readFlag()) {
      in.align();
      in.copyBytes(length, out);
    } else {
      block.inflate(length);
    }
  }

  private static void skipMetadata(BrotliInput in) throws IOException {
    if (in.readFlag()) {
      throw new IOException("reserved bit is set");
    }
    int bytes = in.read(2);
    int length = bytes == 0 ? 0 : 1 + readLength(in, bytes, Byte.SIZE, bytes > 1);
    in.align();
    int ignored = in.skipBytes(length);
  }

  /** Reads a number that consists of several parts, the least significant first. */
  private static int readLength(BrotliInput in, int parts, int bits, boolean lastNotZero)
      throws IOException {
    int length = 0;
    for (int i = 0; i < parts; i++) {
      int part = in.read(bits);
      if (lastNotZero && part == 0 && i == parts - 1) {
        throw new IOException("length has leading zeros");
      }
      length |= part << (i * bits);
    }
    return length;
  }
}

package dev.percolate.parsers;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Inflates deflate data (RFC 1951), bare or in the zlib format, with a check sum of the output. */
final class DeflateStream {

  private final Inflater inflater;
  private final byte[] block = new byte[Bytes.BLOCK];
  private final Bytes out;
  private final CRC32 crc = new CRC32();

  DeflateStream(boolean bare, Bytes out) {
    this.inflater = new Inflater(bare);
    this.out = out;
  }

  /** Inflates what belongs to the data and moves on behind it. */
  void add(ByteBuffer piece) {
    inflater.setInput(piece);
    try {
      while (!inflater.finished()) {
        int count = inflater.inflate(block);
        if (count == 0 && inflater.needsDictionary()) {
          throw Failure.inflating("missing dictionary", null);
        }
        if (count == 0 && inflater.needsInput()) {
          break;
        }
        crc.update(block, 0, count);
        out.add(block, count);
      }
    } catch (DataFormatException e) {
      throw Failure.inflating(e.getMessage(), e);
    }
  }

  boolean finished() {
    return inflater.finished();
  }

  long crc() {
    return crc.getValue();
  }

  /** Gives the length of the output, as far as its lower 32 bits. */
  long length() {
    return inflater.getBytesWritten() & 0xFFFFFFFFL;
  }

  void reset() {
    inflater.reset();
    crc.reset();
  }

  void close() {
    inflater.end();
  }
}

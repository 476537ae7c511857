package dev.percolate.parsers;

import dev.percolate.http.BodyErrors;
import dev.percolate.http.HttpError;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompresses deflate data (RFC 1951), raw or in the zlib format, and computes a checksum of the
 * output.
 */
final class DeflateStream implements Decoder {

  private final Inflater inflater;
  private final byte[] block = new byte[Bytes.BLOCK];
  private final Bytes out;
  private final CRC32 crc = new CRC32();

  DeflateStream(boolean bare, Bytes out) {
    this.inflater = new Inflater(bare);
    this.out = out;
  }

  /**
   * Decompresses a chunk up to the end of the data, where the position of the chunk is then. Bytes
   * after the data are ignored.
   */
  @Override
  public void add(ByteBuffer piece) {
    if (finished()) {
      return;
    }
    inflater.setInput(piece);
    try {
      while (!inflater.finished()) {
        int count = inflater.inflate(block);
        if (count == 0 && inflater.needsDictionary()) {
          throw BodyErrors.undecodable("missing dictionary", null);
        }
        if (count == 0 && inflater.needsInput()) {
          break;
        }
        crc.update(block, 0, count);
        out.add(block, count);
      }
    } catch (DataFormatException e) {
      throw BodyErrors.undecodable(e.getMessage(), e);
    }
  }

  @Override
  public void end() {
    expectEnd(finished());
  }

  /**
   * Checks that the data is complete.
   *
   * @throws HttpError 400 if it is truncated
   */
  static void expectEnd(boolean complete) {
    if (!complete) {
      throw BodyErrors.undecodable("unexpected end of file", null);
    }
  }

  boolean finished() {
    return inflater.finished();
  }

  long crc() {
    return crc.getValue();
  }

  /** Returns the lower 32 bits of the output's length. */
  long length() {
    return inflater.getBytesWritten() & 0xFFFFFFFFL;
  }

  void reset() {
    inflater.reset();
    crc.reset();
  }

  @Override
  public void close() {
    inflater.end();
  }
}

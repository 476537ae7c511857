package dev.percolate.http2;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http2.hpack.HPackDecoder;
import org.apache.hc.core5.http2.hpack.HPackException;

/**
 * Collects the header block of a request, and decodes it by HPACK (RFC 7541). All blocks of a
 * connection share a table, so each is decoded to its end, also where nobody wants it any more.
 * What a block may have in bytes, and in frames, is bounded before that.
 */
final class HeaderBlock {

  /** The size of the table that clients write to. */
  private static final int TABLE = 4096;

  /** How many frames may follow the first one of a block. */
  private static final int MOST_CONTINUATIONS = 16;

  /** How often a block may change the size of the table (RFC 7541 section 4.2). */
  private static final int MOST_RESIZES = 2;

  private static final byte[] NOTHING = {};

  private final HPackDecoder decoder = new HPackDecoder(TABLE, StandardCharsets.US_ASCII);
  private final HuffmanPadding padding = new HuffmanPadding();
  private final int most;
  private byte[] bytes = NOTHING;
  private int size;
  private int continuations;

  /** Takes the lines of a block, in order. */
  @FunctionalInterface
  interface Lines {

    /** Takes a line as it was sent, one character for each byte. */
    void line(String name, String value);
  }

  /**
   * Creates the blocks of one connection.
   *
   * @param most how many bytes a block may have
   */
  HeaderBlock(int most) {
    this.most = most;
  }

  /** Begins a block. */
  void begin() {
    size = 0;
    continuations = 0;
  }

  /** Notes that it goes on in another frame. */
  void goesOn() throws FrameError {
    if (++continuations > MOST_CONTINUATIONS) {
      throw tooLong();
    }
  }

  /** Adds some bytes. */
  void add(byte[] from, int begin, int end) throws FrameError {
    int count = end - begin;
    if (size + count > most) {
      throw tooLong();
    }
    if (size + count > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + count, Math.min(most, 2 * bytes.length)));
    }
    System.arraycopy(from, begin, bytes, size, count);
    size += count;
  }

  /** Decodes the block, which is whole. */
  void decode(Lines lines) throws FrameError {
    ByteBuffer block = ByteBuffer.wrap(bytes, 0, size);
    try {
      boolean begun = false;
      int resizes = 0;
      while (block.hasRemaining()) {
        if ((block.get(block.position()) & 0xe0) == 0x20) {
          if (begun || ++resizes > MOST_RESIZES) {
            throw compression("a table that is resized too late, or too often");
          }
          resize(block);
        } else {
          begun = true;
          int from = block.position();
          Header line = decoder.decodeHeader(block);
          String value = line.getValue() == null ? "" : line.getValue();
          padding.check(bytes, from, line.getName(), value);
          lines.line(line.getName(), value);
        }
      }
    } catch (HPackException | RuntimeException e) { // it has some for what is out of bounds
      throw compression(String.valueOf(e.getMessage()));
    } finally {
      bytes = NOTHING; // few connections begin requests all the time
    }
  }

  /** Resizes the table, which the decoder does for any size. */
  private void resize(ByteBuffer block) throws HPackException, FrameError {
    int begin = block.position();
    int end = begin + 1;
    int wanted = block.get(begin) & 0x1f;
    if (wanted == 0x1f) {
      int shift = 0;
      int next;
      do {
        next = block.get(end++) & 0xff;
        wanted += (next & 0x7f) << shift;
        shift += 7;
      } while ((next & 0x80) != 0 && shift <= 14);
      if ((next & 0x80) != 0) {
        throw compression("too large a table");
      }
    }
    if (wanted > TABLE) {
      throw compression("too large a table");
    }
    Header ignored = decoder.decodeHeader(block.duplicate().position(begin).limit(end));
    block.position(end);
  }

  private static FrameError tooLong() {
    return FrameError.ofConnection(ErrorCode.ENHANCE_YOUR_CALM, "too long headers");
  }

  private static FrameError compression(String message) {
    return FrameError.ofConnection(ErrorCode.COMPRESSION_ERROR, message);
  }
}

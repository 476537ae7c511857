package dev.percolate.http2;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http2.hpack.HPackDecoder;
import org.apache.hc.core5.http2.hpack.HPackException;

/**
 * Collects the header block of a request and decodes it with HPACK (RFC 7541). All blocks of a
 * connection share one table, so every block is decoded completely, even if its request is no
 * longer needed. The number of bytes and frames of a block is limited before decoding.
 */
final class HeaderBlock {

  /** The size of the decoding table, in bytes. */
  private static final int TABLE = 4096;

  /** The maximum number of CONTINUATION frames of a block that fits into fewer frames. */
  private static final int MOST_CONTINUATIONS = 16;

  /** The maximum number of table size updates in a block (RFC 7541 section 4.2). */
  private static final int MOST_RESIZES = 2;

  private static final byte[] NOTHING = {};

  private final HPackDecoder decoder = new HPackDecoder(TABLE, StandardCharsets.US_ASCII);
  private final HuffmanPadding padding = new HuffmanPadding();
  private final int most;
  private byte[] bytes = NOTHING;
  private int size;
  private int continuations;

  /** Receives the fields of a block, in order. */
  @FunctionalInterface
  interface Lines {

    /** Receives a field as it was sent, one character for each byte. */
    void line(String name, String value);
  }

  /**
   * Creates the decoder of one connection.
   *
   * @param most the maximum size of a block, in bytes
   */
  HeaderBlock(int most) {
    this.most = most;
  }

  /** Begins a block. */
  void begin() {
    size = 0;
    continuations = 0;
  }

  /** Counts a CONTINUATION frame. */
  void goesOn() throws FrameError {
    if (++continuations > Math.max(MOST_CONTINUATIONS, most / FrameType.MOST)) {
      throw tooLong();
    }
  }

  /** Adds bytes to the block. */
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

  /** Decodes the complete block. */
  void decode(Lines lines) throws FrameError {
    ByteBuffer block = ByteBuffer.wrap(bytes, 0, size);
    try {
      boolean begun = false;
      int resizes = 0;
      while (block.hasRemaining()) {
        if ((block.get(block.position()) & 0xe0) == 0x20) {
          if (begun || ++resizes > MOST_RESIZES) {
            throw compression("table size update after the first field, or more than 2");
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
    } catch (HPackException | RuntimeException e) { // it throws some for indexes out of bounds
      throw compression(String.valueOf(e.getMessage()));
    } finally {
      bytes = NOTHING; // idle connections should not keep a buffer
    }
  }

  /** Checks the size of a table update, which the decoder does not, and applies it. */
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
        throw compression("table size must be at most 4096");
      }
    }
    if (wanted > TABLE) {
      throw compression("table size must be at most 4096");
    }
    Header ignored = decoder.decodeHeader(block.duplicate().position(begin).limit(end));
    block.position(end);
  }

  private static FrameError tooLong() {
    return FrameError.ofConnection(ErrorCode.ENHANCE_YOUR_CALM, "header block too large");
  }

  private static FrameError compression(String message) {
    return FrameError.ofConnection(ErrorCode.COMPRESSION_ERROR, message);
  }
}

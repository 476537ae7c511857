package dev.percolate.nio.transport;

import dev.percolate.nio.loop.BodyBuffer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The direct buffers of an event loop: {@value #DIRECT} bytes for any number of connections. Their
 * contents are not kept between iterations.
 */
public final class LoopMemory {

  /** The maximum number of bytes that are passed to the system at once. */
  public static final int PIECE = 64 << 10;

  private static final int ARENA = 128 << 10;

  /** The total size of the direct buffers, in bytes. */
  public static final int DIRECT = BodyBuffer.LONG_PIECE + ARENA + PIECE;

  private final ByteBuffer in = ByteBuffer.allocateDirect(BodyBuffer.LONG_PIECE);
  private final byte[] read = new byte[BodyBuffer.LONG_PIECE + Tls.PADDING];
  private final ByteBuffer arena = ByteBuffer.allocateDirect(ARENA);
  private final ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
  private @Nullable Tls tls;

  /** Returns the buffer that receives bytes from the system. */
  public ByteBuffer in() {
    return in;
  }

  /** Returns the heap buffer of received bytes. */
  public byte[] read() {
    return read;
  }

  /**
   * Returns the buffer of the short responses of an iteration, in the order of their connections.
   */
  public ByteBuffer arena() {
    return arena;
  }

  /** Returns the buffers for TLS connections, with {@link Tls#DIRECT} direct bytes. */
  Tls tls() {
    Tls known = tls;
    if (known == null) {
      known =
          new Tls(
              ByteBuffer.allocate(Tls.RECORD + read.length),
              ByteBuffer.wrap(read),
              ByteBuffer.allocate(Tls.DIRECT),
              ByteBuffer.allocateDirect(Tls.DIRECT));
      tls = known;
    }
    return known;
  }

  /** Returns the buffer that collects parts of long responses. */
  public ByteBuffer piece() {
    return piece;
  }

  /**
   * The buffers for TLS connections. The JDK's ciphers use heap buffers; the system is passed
   * direct buffers.
   *
   * @param received the buffer that collects received records
   * @param plain the buffer for decrypted bytes: {@link LoopMemory#read}
   * @param sealed the buffer for encrypted bytes
   * @param out the buffer that is passed to the system
   */
  record Tls(ByteBuffer received, ByteBuffer plain, ByteBuffer sealed, ByteBuffer out) {

    /** The maximum overhead of a record, in bytes (RFC 8446 section 5.2). */
    static final int PADDING = 256;

    /** The maximum size of a record with its header, in bytes. */
    static final int RECORD = 5 + (16 << 10) + PADDING;

    /** The buffer size that the JDK requires to write a record, and a reserve, in bytes. */
    static final int ROOM = 17 << 10;

    /** The size of the direct buffer, for four records. */
    static final int DIRECT = 4 * ROOM;
  }
}

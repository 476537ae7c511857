package dev.percolate.nio.wire;

import dev.percolate.engine.loop.BodyBuffer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The memory beside the heap that a loop reads and writes with: {@value #DIRECT} bytes, however
 * many connections it has. Nothing stays in it from one turn to the next.
 */
public final class LoopMemory {

  /** How much is handed to the kernel at once. */
  public static final int PIECE = 64 << 10;

  private static final int ARENA = 128 << 10;

  /** How much memory there is in all. */
  public static final int DIRECT = BodyBuffer.MAX_PIECE + ARENA + PIECE;

  private final ByteBuffer in = ByteBuffer.allocateDirect(BodyBuffer.MAX_PIECE);
  private final byte[] read = new byte[BodyBuffer.MAX_PIECE + Tls.PADDING];
  private final ByteBuffer arena = ByteBuffer.allocateDirect(ARENA);
  private final ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
  private @Nullable Tls tls;

  /** Returns what the kernel is read into. */
  public ByteBuffer in() {
    return in;
  }

  /** Returns what was read, on the heap. */
  public byte[] read() {
    return read;
  }

  /** Returns where the answers of a turn lie, those of one connection behind those of another. */
  public ByteBuffer arena() {
    return arena;
  }

  /** Returns what connections with TLS need besides, {@link Tls#DIRECT} bytes. */
  Tls tls() {
    Tls known = tls;
    if (known == null) {
      known = new Tls(read);
      tls = known;
    }
    return known;
  }

  /** Returns where pieces of long answers are put together. */
  public ByteBuffer piece() {
    return piece;
  }

  /**
   * What connections with TLS read and write with. The cipher of the JDK works on the heap; what
   * goes to the kernel is beside it.
   */
  static final class Tls {

    /** The most that a record may be longer than what is in it (RFC 8446 section 5.2). */
    static final int PADDING = 256;

    /** The most bytes of a record, with its head. */
    static final int RECORD = 5 + (16 << 10) + PADDING;

    /** What the JDK wants to have for a record that it writes, and a little more. */
    static final int ROOM = 17 << 10;

    /** How much memory beside the heap there is: for four records. */
    static final int DIRECT = 4 * ROOM;

    private final ByteBuffer received;
    private final ByteBuffer plain;
    private final ByteBuffer sealed = ByteBuffer.allocate(DIRECT);
    private final ByteBuffer out = ByteBuffer.allocateDirect(DIRECT);

    private Tls(byte[] read) {
      received = ByteBuffer.allocate(RECORD + read.length);
      plain = ByteBuffer.wrap(read);
    }

    /** Returns where what has come is put together. */
    ByteBuffer received() {
      return received;
    }

    /** Returns where it is decrypted: {@link LoopMemory#read}. */
    ByteBuffer plain() {
      return plain;
    }

    /** Returns where what goes out is encrypted. */
    ByteBuffer sealed() {
      return sealed;
    }

    /** Returns where it goes to the kernel from. */
    ByteBuffer out() {
      return out;
    }
  }
}

package dev.percolate.nio;

import dev.percolate.engine.loop.BodyBuffer;
import java.nio.ByteBuffer;

/**
 * The memory beside the heap that a loop reads and writes with: {@value #DIRECT} bytes, however
 * many connections it has. Nothing stays in it from one turn to the next.
 */
final class LoopMemory {

  /** How much is handed to the kernel at once. */
  static final int PIECE = 64 << 10;

  private static final int ARENA = 128 << 10;

  /** How much memory there is in all. */
  static final int DIRECT = BodyBuffer.MAX_PIECE + ARENA + PIECE;

  private final ByteBuffer in = ByteBuffer.allocateDirect(BodyBuffer.MAX_PIECE);
  private final byte[] read = new byte[BodyBuffer.MAX_PIECE];
  private final ByteBuffer arena = ByteBuffer.allocateDirect(ARENA);
  private final ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);

  /** Returns what the kernel is read into. */
  ByteBuffer in() {
    return in;
  }

  /** Returns what was read, on the heap. */
  byte[] read() {
    return read;
  }

  /** Returns where the answers of a turn lie, those of one connection behind those of another. */
  ByteBuffer arena() {
    return arena;
  }

  /** Returns where pieces of long answers are put together. */
  ByteBuffer piece() {
    return piece;
  }
}

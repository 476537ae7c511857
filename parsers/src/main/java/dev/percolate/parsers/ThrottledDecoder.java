package dev.percolate.parsers;

import dev.percolate.engine.VirtualThreads;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Inflates when its turn comes: on virtual threads, only as many bodies at once as there are
 * processors.
 *
 * <p>The JDK runs virtual threads in the order in which they come, so a request behind a thousand
 * bodies would wait until all of them are inflated. Here it waits for one piece of one body: the
 * others stand in a queue of their own. Threads of the system, which take turns anyway, do not; and
 * an event loop must not wait. What comes first is collected: a decoder takes much memory, for
 * which there is no room until more has come, or all.
 */
final class ThrottledDecoder implements Decoder {

  /** A window and what belongs to it, and a block. */
  private static final long WORK_SPACE = 64 << 10;

  /** How much is collected at first. */
  private static final int EARLY = 4 << 10;

  private final Supplier<Decoder> decoder;
  private final Bytes out;
  private final Bytes early;
  private @Nullable Decoder inflating;

  ThrottledDecoder(Supplier<Decoder> decoder, Bytes out) {
    this.decoder = decoder;
    this.out = out;
    this.early = new Bytes(EARLY, -1, out.kept());
  }

  @Override
  public void add(ByteBuffer piece) {
    if (inflating == null && early.size() + piece.remaining() <= EARLY) {
      early.add(piece);
    } else {
      VirtualThreads.inTurn(() -> inflating().add(piece));
    }
  }

  @Override
  public void end() {
    VirtualThreads.inTurn(() -> inflating().end());
  }

  @Override
  public void close() {
    if (inflating != null) {
      inflating.close();
    }
  }

  @Override
  public long workSpace() {
    // Beside what is inflated, some decoders keep what comes until its end.
    return WORK_SPACE + 2 * EARLY + MemoryShare.first(out.limit());
  }

  private Decoder inflating() {
    Decoder known = inflating;
    if (known == null) {
      out.kept().add(WORK_SPACE);
      known = decoder.get();
      inflating = known;
      if (early.size() > 0) {
        known.add(ByteBuffer.wrap(early.toArray()));
      }
    }
    return known;
  }
}

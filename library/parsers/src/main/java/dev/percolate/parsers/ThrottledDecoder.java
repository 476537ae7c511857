package dev.percolate.parsers;

import dev.percolate.engine.VirtualThreads;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many bodies are decompressed at once on virtual threads to the number of processors.
 *
 * <p>The JDK runs virtual threads in the order in which they become ready. Without this limit, a
 * request behind a thousand bodies would wait until all of them are decompressed. Here it waits for
 * one chunk of one body, because the other bodies have their own queue. Platform threads are not
 * limited, and event loops must not wait. The first bytes of a body are only collected: a decoder
 * needs much memory, so it is created after more bytes have arrived or the body has ended.
 */
final class ThrottledDecoder implements Decoder {

  /** The memory of a decoder: its window, its tables and a block, in bytes. */
  private static final long WORK_SPACE = 64 << 10;

  /** The number of bytes to collect before creating the decoder. */
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
      VirtualThreads.runFairly(() -> inflating().add(piece));
    }
  }

  @Override
  public void end() {
    VirtualThreads.runFairly(() -> inflating().end());
  }

  @Override
  public void close() {
    if (inflating != null) {
      inflating.close();
    }
  }

  @Override
  public long workSpace() {
    // Some decoders also keep the compressed body until its end.
    return WORK_SPACE + 2 * EARLY + Bytes.MemoryShare.first(out.limit());
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

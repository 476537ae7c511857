package dev.percolate.http;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * A pool of compressors or decompressors, which use much native memory and are slow to create. It
 * keeps at most two for each processor.
 *
 * @param <C> the type of compressor or decompressor
 */
final class MessageCoders<C> {

  /** Compressors, which are reset after each message. */
  static final MessageCoders<Deflater> DEFLATERS =
      new MessageCoders<>(
          () -> new Deflater(Deflater.BEST_SPEED, true), Deflater::reset, Deflater::end);

  static final MessageCoders<Inflater> INFLATERS =
      new MessageCoders<>(() -> new Inflater(true), Inflater::reset, Inflater::end);

  private static final int MOST = 2 * Runtime.getRuntime().availableProcessors();

  private final Queue<C> free = new ConcurrentLinkedQueue<>();
  private final AtomicInteger kept = new AtomicInteger();
  private final Supplier<C> maker;
  private final Consumer<C> resets;
  private final Consumer<C> ends;

  MessageCoders(Supplier<C> maker, Consumer<C> resets, Consumer<C> ends) {
    this.maker = maker;
    this.resets = resets;
    this.ends = ends;
  }

  /** Takes a coder from the pool, or creates one. */
  C take() {
    C coder = free.poll();
    if (coder == null) {
      return maker.get();
    }
    kept.decrementAndGet();
    return coder;
  }

  /** Returns a coder to the pool; does nothing for null. */
  void give(@Nullable C used) {
    if (used == null) {
      return;
    }
    if (kept.incrementAndGet() <= MOST) {
      resets.accept(used);
      free.add(used);
    } else {
      kept.decrementAndGet();
      ends.accept(used);
    }
  }
}

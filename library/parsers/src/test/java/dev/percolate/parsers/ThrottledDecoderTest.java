package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.engine.VirtualThreads;
import dev.percolate.http.HttpError;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ThrottledDecoderTest {

  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
  private static final int BODIES = 3 * PROCESSORS;

  private final CountDownLatch open = new CountDownLatch(1);
  private final AtomicInteger entered = new AtomicInteger();
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  /** Blocks and counts decompressions until the test releases them. */
  private final class Held implements Decoder {

    @Override
    public void add(ByteBuffer piece) {
      most.accumulateAndGet(inside.incrementAndGet(), Math::max);
      entered.incrementAndGet();
      await(open);
      inside.decrementAndGet();
    }

    @Override
    public void end() {}

    @Override
    public void close() {}
  }

  @Test
  void virtualThreadsInflateAsManyBodiesAtOnceAsThereAreProcessors() throws Exception {
    assumeTrue(VirtualThreads.available());
    List<Thread> threads = start(VirtualThreads.factory("inflates-"));
    untilEntered(PROCESSORS);
    for (Thread thread : threads) {
      untilItWaits(thread);
    }
    assertEquals(PROCESSORS, entered.get());
    open.countDown();
    join(threads);
    assertEquals(BODIES, entered.get());
    assertEquals(PROCESSORS, most.get());
  }

  @Test
  void platformThreadsDoNotWaitForEachOther() throws Exception {
    List<Thread> threads = start(Thread::new);
    untilEntered(BODIES);
    open.countDown();
    join(threads);
    assertEquals(BODIES, most.get());
  }

  @Test
  void aMalformedBodyReleasesItsTurn() throws Exception {
    assumeTrue(VirtualThreads.available());
    Queue<HttpError> errors = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < BODIES; i++) {
      Runnable fails =
          () -> {
            Decoder gzip =
                Codings.parse("gzip").decoder(new Bytes(100, -1, new Bytes.MemoryShare(all -> {})));
            try {
              gzip.add(ByteBuffer.allocate(8 << 10));
            } catch (HttpError e) {
              errors.add(e);
            } finally {
              gzip.close();
            }
          };
      threads.add(VirtualThreads.factory(null).newThread(fails));
    }
    threads.forEach(Thread::start);
    join(threads);
    assertEquals(BODIES, errors.size());
  }

  private List<Thread> start(ThreadFactory factory) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < BODIES; i++) {
      Decoder queued =
          new ThrottledDecoder(Held::new, new Bytes(1, -1, new Bytes.MemoryShare(all -> {})));
      threads.add(factory.newThread(() -> queued.add(ByteBuffer.allocate(8 << 10))));
    }
    threads.forEach(Thread::start);
    return threads;
  }

  private void untilEntered(int count) throws InterruptedException {
    while (entered.get() < count) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private static void untilItWaits(Thread thread) throws InterruptedException {
    while (thread.getState() != Thread.State.WAITING) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private static void join(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}

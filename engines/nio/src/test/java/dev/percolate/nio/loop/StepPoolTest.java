package dev.percolate.nio.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class StepPoolTest {

  private static final long SECOND = 1_000_000_000L;

  private final StepPool pool = new StepPool();
  private final int all = pool.size() + StepPool.MOST_REPLACED;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger goOn = new AtomicInteger();
  private final AtomicInteger begun = new AtomicInteger();
  private final CountDownLatch end = new CountDownLatch(1);
  private final List<Stalled> clients = new ArrayList<>();

  /** A client that stalls for a given time, unless it is disconnected before. */
  private static final class Stalled implements StepPool.Client {

    private final long overdue;
    private final CountDownLatch gone = new CountDownLatch(1);
    private final AtomicInteger cuts = new AtomicInteger();
    private volatile boolean leaves;

    Stalled(long overdue) {
      this.overdue = overdue;
    }

    @Override
    public long overdue(long since) {
      return overdue;
    }

    @Override
    public boolean cutOff() {
      cuts.incrementAndGet();
      return true;
    }
  }

  @AfterEach
  void close() {
    end.countDown();
    clients.forEach(client -> client.gone.countDown());
    pool.close();
  }

  @Test
  void asManyRunAsItHasPlaces() throws Exception {
    run(pool.size() + 5);
    until(() -> begun.get() == pool.size());
    staysAt(pool.size());
    assertEquals(pool.size(), pool.threads());
  }

  @Test
  void othersTakeThePlacesOfThoseThatWait() throws Exception {
    beginWaits(pool.size(), 0);
    run(pool.size() + 5);
    until(() -> begun.get() == pool.size());
    staysAt(pool.size());
  }

  @Test
  void whoeverHasWaitedGoesOnAtOnce() throws Exception {
    beginWaits(100, 0);
    run(pool.size());
    until(() -> begun.get() == pool.size());
    clients.forEach(client -> client.gone.countDown());
    until(() -> goOn.get() == 100);
  }

  @Test
  void thenNoneBeginsUntilFewerRunThanThereArePlaces() throws Exception {
    beginWaits(100, 0);
    run(pool.size() - 1);
    until(() -> begun.get() == pool.size() - 1);
    clients.subList(0, 50).forEach(client -> client.gone.countDown());
    until(() -> goOn.get() == 50);
    run(1);
    staysAt(pool.size() - 1);
    end.countDown(); // of those that run, and of the fifty
    until(() -> begun.get() == pool.size());
  }

  @Test
  void threadsThatHaveTakenPlacesOfOthersDoNotRunBesideThem() throws Exception {
    beginWaits(100, 0);
    clients.forEach(client -> client.leaves = true);
    run(pool.size());
    until(() -> begun.get() == pool.size());
    clients.forEach(client -> client.gone.countDown());
    until(() -> waiting.get() == 0);
    run(50); // there are a hundred idle threads
    staysAt(pool.size());
  }

  @Test
  void afterACrowdThereAreNoMoreThreadsThanBefore() throws Exception {
    beginWaits(200, 0);
    assertTrue(pool.threads() > pool.size());
    clients.forEach(client -> client.gone.countDown());
    end.countDown();
    until(() -> waiting.get() == 0);
    long now = System.nanoTime();
    pool.check(now + 11 * SECOND);
    pool.check(now + 22 * SECOND);
    until(() -> pool.threads() == pool.size());
    run(3);
    until(() -> begun.get() == 3);
  }

  @Test
  void whereAllWaitThoseThatHaveStoodStillLongestAreCutOffForThoseThatCome() throws Exception {
    for (int i = 0; i < all; i++) {
      beginWaits(1, i * SECOND);
    }
    run(5);
    pool.check(System.nanoTime());
    assertEquals(cutFrom(all - 5), cuts());
    pool.check(System.nanoTime());
    assertEquals(cutFrom(all - 5), cuts(), "they have not gone yet");
  }

  @Test
  void clientsThatGoOnAreNotCutOff() throws Exception {
    beginWaits(all - 1, -1);
    beginWaits(1, 1);
    run(50);
    pool.check(System.nanoTime());
    assertEquals(cutFrom(all - 1), cuts());
  }

  @Test
  void neitherAreAnyWhileNobodyWaitsForAThread() throws Exception {
    beginWaits(all, SECOND);
    pool.check(System.nanoTime());
    assertEquals(cutFrom(all), cuts());
  }

  @Test
  void neitherAreAnyWhileHalfOfThePlacesAreLeft() throws Exception {
    beginWaits(StepPool.MOST_REPLACED + pool.size() / 2, SECOND);
    run(pool.size());
    until(() -> begun.get() == pool.size() / 2);
    pool.check(System.nanoTime());
    assertEquals(cutFrom(clients.size()), cuts());
  }

  @Test
  void otherThreadsJustWait() {
    int[] done = new int[1];
    pool.await(new Stalled(1), () -> done[0]++);
    assertEquals(1, done[0]);
  }

  /** Starts a number of tasks that wait for clients, and run until the end afterwards. */
  private void beginWaits(int count, long overdue) throws InterruptedException {
    int before = waiting.get();
    for (int i = 0; i < count; i++) {
      Stalled client = new Stalled(overdue);
      clients.add(client);
      pool.execute(
          () -> {
            pool.await(client, () -> waitFor(client));
            if (!client.leaves) {
              goOn.incrementAndGet();
              await(end);
            }
          });
    }
    until(() -> waiting.get() == before + count);
  }

  private void waitFor(Stalled client) {
    waiting.incrementAndGet();
    await(client.gone);
    waiting.decrementAndGet();
  }

  /** Starts a number of tasks that run until the end. */
  private void run(int count) {
    for (int i = 0; i < count; i++) {
      pool.execute(
          () -> {
            begun.incrementAndGet();
            await(end);
          });
    }
  }

  private void staysAt(int count) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(80);
    assertEquals(count, begun.get());
  }

  private List<Integer> cuts() {
    return clients.stream().map(client -> client.cuts.get()).toList();
  }

  private List<Integer> cutFrom(int first) {
    return IntStream.range(0, clients.size()).mapToObj(i -> i < first ? 0 : 1).toList();
  }

  private static void until(BooleanSupplier there) throws InterruptedException {
    while (!there.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(1);
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

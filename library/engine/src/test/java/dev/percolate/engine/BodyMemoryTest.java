package dev.percolate.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.BodyMemory.Purpose;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyMemoryTest {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final int KIB = 1 << 10;

  private final BodyMemory memory =
      BodyMemory.of("800kb"); // small 300 KiB, large bodies 450, others 475, with values 500

  @Test
  void theBudgetOfTheProcessIsAQuarterOfTheHeap() {
    assertEquals(Runtime.getRuntime().maxMemory() / 4, BodyMemory.ofProcess().budget());
  }

  @ParameterizedTest
  @ValueSource(strings = {"ten bananas", "10 bananas", "", "-1mb", "63kb"})
  void invalidSizesAreRejectedByNameAndValue(String size) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> BodyMemory.of(size)).getMessage();
    assertTrue(message.contains(", was \"" + size + "\""), message);
  }

  @Test
  void largeBodiesUseTheirPartOfTheBudgetAndThenWaitInOrder() {
    Asked first = ask(290 * KIB);
    Asked second = ask(170 * KIB);
    Asked third = ask(10 * KIB); // would fit, but waits in order
    assertEquals("granted", first.response);
    assertEquals("", second.response);
    assertEquals("", third.response);
    assertEquals(2, memory.waiting());
    first.reservation.release();
    assertEquals("granted", second.response);
    assertEquals("granted", third.response);
    assertEquals(180 * KIB, memory.held());
    second.reservation.release();
    third.reservation.release();
    assertEquals(0, memory.held());
    assertEquals(290 * KIB, memory.maxHeld());
  }

  @Test
  void aBodyWithinTheShareOfItsConnectionDoesNotWaitForLargeOnes() {
    Asked large = ask(300 * KIB);
    Asked waiting = ask(200 * KIB);
    assertEquals("granted", ask(6 * KIB).response); // nor does a body of medium size
    assertEquals("granted", ask(4 * KIB).response);
    assertEquals("", waiting.response);
    large.reservation.release();
  }

  @Test
  void exchangesOfOneConnectionHaveACommonShare() {
    Asked large = ask(300 * KIB);
    List<Asked> others =
        List.of(ask(150 * KIB), ask(6 * KIB), ask(6 * KIB), ask(6 * KIB), ask(6 * KIB));
    BodyMemory.Share connection = memory.share();
    assertEquals("granted", ask(connection.reservation(), 3 * KIB, Purpose.BODY).response);
    Asked second = ask(connection.reservation(), 3 * KIB, Purpose.BODY);
    assertEquals("", second.response);
    large.reservation.release();
    assertEquals("granted", second.response);
    others.forEach(one -> one.reservation.release());
  }

  @Test
  void completeBodiesDoNotWaitForIncompleteOnes() {
    Asked receiving = ask(300 * KIB);
    Asked behind = ask(200 * KIB);
    Asked parsed = ask(receiving.reservation, 500 * KIB, Purpose.PARSED);
    assertEquals("granted", parsed.response);
    assertEquals("", behind.response);
    receiving.reservation.release();
    assertEquals("granted", behind.response);
  }

  @Test
  void aBodyThatHasWaitedTooLongIsRejectedAndUnblocksTheQueue() throws Exception {
    Asked first = ask(300 * KIB);
    Asked second =
        ask(memory.share().reservation(), 200 * KIB, Purpose.BODY, Duration.ofMillis(50));
    Asked third = ask(50 * KIB);
    assertTrue(third.decided.await(10, TimeUnit.SECONDS));
    assertEquals("refused", second.response);
    assertEquals("granted", third.response);
    first.reservation.release();
    assertEquals(50 * KIB, memory.held());
  }

  @Test
  void aThrowingCallbackDoesNotAffectOtherBodies() {
    Asked first = ask(290 * KIB);
    BodyMemory.OnReserved thrower =
        granted -> {
          throw new IllegalStateException("odd");
        };
    memory.share().reservation().await(170 * KIB, Purpose.BODY, LONG, thrower);
    Asked last = ask(10 * KIB);
    assertEquals("", last.response);
    first.reservation.release();
    assertEquals("granted", last.response);
  }

  @Test
  void anEndedExchangeStopsWaitingAndIsRejected() {
    Asked first = ask(300 * KIB);
    Asked second = ask(300 * KIB);
    second.reservation.release();
    assertEquals("refused", second.response);
    assertEquals(0, memory.waiting());
    assertEquals("refused", ask(second.reservation, 1, Purpose.BODY).response);
    first.reservation.release();
    first.reservation.release();
    assertEquals(0, memory.held());
  }

  @Test
  void readingAheadStopsAtAQuarterOfTheBudgetAndWhileBodiesWait() {
    BodyMemory.Reservation engine = memory.share().reservation();
    assertTrue(engine.mayRead(200 * KIB));
    engine.note(200 * KIB);
    assertFalse(engine.mayRead(1));
    assertFalse(memory.isPlenty());
    engine.release();
    assertTrue(memory.isPlenty());
    Asked first = ask(300 * KIB);
    Asked second = ask(300 * KIB);
    assertFalse(memory.isPlenty());
    first.reservation.release();
    second.reservation.release();
  }

  @Test
  void receivedBytesCountEvenBeyondTheBudget() {
    BodyMemory.Reservation engine = memory.share().reservation();
    engine.note(5000);
    engine.note(4000);
    assertEquals(5000, memory.held());
    assertTrue(engine.take(5000, Purpose.BODY)); // it has arrived already
    assertEquals(5000, memory.held());
  }

  @Test
  void manyThreadsNeitherLoseMemoryNorExceedTheBudget() throws Exception {
    int threads = 8;
    int rounds = 2000;
    AtomicInteger granted = new AtomicInteger();
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread thread =
          new Thread(
              () -> {
                Random random = ThreadLocalRandom.current();
                for (int round = 0; round < rounds; round++) {
                  Asked asked = ask(1 + random.nextInt(300 * KIB));
                  try {
                    if (asked.decided.await(20, TimeUnit.SECONDS)) {
                      granted.incrementAndGet();
                    }
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                  asked.reservation.release();
                }
              });
      thread.start();
      all.add(thread);
    }
    for (Thread thread : all) {
      thread.join();
    }
    assertEquals(threads * rounds, granted.get());
    assertEquals(0, memory.held());
    assertEquals(0, memory.waiting());
    assertTrue(memory.maxHeld() <= memory.budget(), memory::toString);
  }

  private Asked ask(long bytes) {
    return ask(memory.share().reservation(), bytes, Purpose.BODY);
  }

  private static Asked ask(BodyMemory.Reservation reservation, long bytes, Purpose purpose) {
    return ask(reservation, bytes, purpose, LONG);
  }

  private static Asked ask(
      BodyMemory.Reservation reservation, long bytes, Purpose purpose, Duration patience) {
    Asked asked = new Asked(reservation);
    reservation.await(bytes, purpose, patience, asked);
    return asked;
  }

  private static final class Asked implements BodyMemory.OnReserved {

    private final BodyMemory.Reservation reservation;
    private final CountDownLatch decided = new CountDownLatch(1);
    private volatile String response = "";

    Asked(BodyMemory.Reservation reservation) {
      this.reservation = reservation;
    }

    @Override
    public void decided(boolean granted) {
      response = !response.isEmpty() ? "twice" : granted ? "granted" : "refused";
      decided.countDown();
    }
  }
}

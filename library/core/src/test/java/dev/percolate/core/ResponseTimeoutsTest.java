package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ResponseTimeoutsTest {

  private static final long SOON = TimeUnit.MILLISECONDS.toNanos(5);

  private final ResponseTimeouts watch = new ResponseTimeouts();

  /** An entry whose check always fails. */
  private static final class Faulty extends ResponseTimeouts.Entry {

    final CountDownLatch looks = new CountDownLatch(3);

    @Override
    void look(long now) {
      looks.countDown();
      throw new OutOfMemoryError("no room");
    }
  }

  /** An entry that is checked once. */
  private final class Once extends ResponseTimeouts.Entry {

    final CountDownLatch looked = new CountDownLatch(1);

    @Override
    void look(long now) {
      looked.countDown();
      watch.remove(this);
    }
  }

  @DisplayName("DOS-08: the check of timeouts continues after an entry that throws an error")
  @Test
  void anEntryThatThrowsAnErrorDoesNotStopOtherChecks() throws Exception {
    Faulty faulty = new Faulty();
    watch.add(faulty, System.nanoTime(), SOON);
    Once beside = new Once();
    watch.add(beside, System.nanoTime(), SOON);
    assertTrue(beside.looked.await(30, TimeUnit.SECONDS));
    assertTrue(faulty.looks.await(30, TimeUnit.SECONDS), "the watch continues");
    Once later = new Once();
    watch.add(later, System.nanoTime(), SOON);
    assertTrue(later.looked.await(30, TimeUnit.SECONDS));
    watch.remove(faulty);
  }

  @Test
  void anApplicationIsColdForTenSecondsAfterItsFirstRequest() {
    assertTrue(watch.isCold(1));
    assertTrue(watch.isCold(TimeUnit.SECONDS.toNanos(10)));
    assertFalse(watch.isCold(TimeUnit.SECONDS.toNanos(10) + 1));
    assertFalse(watch.isCold(TimeUnit.SECONDS.toNanos(60)));
  }
}

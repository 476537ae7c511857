package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ResumeTimerTest {

  /** A member that does nothing. */
  private static final class Idle implements LoopMember {

    @Override
    public void ready(int operations) {}

    @Override
    public void flush() {}

    @Override
    public void goOn() {}

    @Override
    public void check(long now) {}

    @Override
    public boolean rests() {
      return true;
    }

    @Override
    public void checkHeld(long now, long since) {}

    @Override
    public void closeNow() {}

    @Override
    public int place() {
      return 0;
    }

    @Override
    public void place(int at) {}
  }

  private final ResumeTimer resumeTimer = new ResumeTimer();
  private final LoopMember first = new Idle();
  private final LoopMember second = new Idle();

  @Test
  void pausesEndInOrderEvenIfTheClockOverflows() {
    long now = Long.MAX_VALUE - 5;
    resumeTimer.add(second, now + 10);
    resumeTimer.add(first, now + 2);
    assertNull(resumeTimer.poll(now + 1));
    assertSame(first, resumeTimer.poll(now + 2));
    assertNull(resumeTimer.poll(now + 9));
    assertSame(second, resumeTimer.poll(now + 10));
    assertTrue(resumeTimer.isEmpty());
  }

  @Test
  void theTimeToTheNextPauseIsLongEnoughAndLimited() {
    assertEquals(100, resumeTimer.millisToNext(100));
    resumeTimer.add(first, System.nanoTime() - 1);
    assertEquals(1, resumeTimer.millisToNext(100));
    assertSame(first, resumeTimer.poll(System.nanoTime()));
    resumeTimer.add(first, System.nanoTime() + TimeUnit.SECONDS.toNanos(1_000));
    assertEquals(100, resumeTimer.millisToNext(100));
    assertTrue(resumeTimer.millisToNext(2_000_000) > 900_000);
  }
}

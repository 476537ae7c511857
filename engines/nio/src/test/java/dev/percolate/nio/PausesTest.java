package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class PausesTest {

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

  private final Pauses pauses = new Pauses();
  private final LoopMember first = new Idle();
  private final LoopMember second = new Idle();

  @Test
  void pausesEndInOrderEvenIfTheClockOverflows() {
    long now = Long.MAX_VALUE - 5;
    pauses.add(second, now + 10);
    pauses.add(first, now + 2);
    assertNull(pauses.poll(now + 1));
    assertSame(first, pauses.poll(now + 2));
    assertNull(pauses.poll(now + 9));
    assertSame(second, pauses.poll(now + 10));
    assertTrue(pauses.isEmpty());
  }

  @Test
  void theTimeToTheNextPauseIsLongEnoughAndLimited() {
    assertEquals(100, pauses.millisToNext(100));
    pauses.add(first, System.nanoTime() - 1);
    assertEquals(1, pauses.millisToNext(100));
    assertSame(first, pauses.poll(System.nanoTime()));
    pauses.add(first, System.nanoTime() + TimeUnit.SECONDS.toNanos(1_000));
    assertEquals(100, pauses.millisToNext(100));
    assertTrue(pauses.millisToNext(2_000_000) > 900_000);
  }
}

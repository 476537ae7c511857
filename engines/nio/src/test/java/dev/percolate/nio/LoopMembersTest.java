package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class LoopMembersTest {

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

  private final LoopMembers members = new LoopMembers();
  private final LoopMember first = new Idle();
  private final LoopMember second = new Idle();

  @Test
  void pausesEndInOrderEvenIfTheClockOverflows() {
    long now = Long.MAX_VALUE - 5;
    members.pause(second, now + 10);
    members.pause(first, now + 2);
    assertNull(members.resumed(now + 1));
    assertSame(first, members.resumed(now + 2));
    assertNull(members.resumed(now + 9));
    assertSame(second, members.resumed(now + 10));
    assertFalse(members.isAnyPaused());
  }

  @Test
  void theTimeToTheNextPauseIsLongEnoughAndLimited() {
    assertEquals(100, members.millisToResume(100));
    members.pause(first, System.nanoTime() - 1);
    assertEquals(1, members.millisToResume(100));
    assertSame(first, members.resumed(System.nanoTime()));
    members.pause(first, System.nanoTime() + TimeUnit.SECONDS.toNanos(1_000));
    assertEquals(100, members.millisToResume(100));
    assertTrue(members.millisToResume(2_000_000) > 900_000);
  }
}

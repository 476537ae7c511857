package dev.percolate.nio.loop;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class ProgressTest {

  private static final long SECOND = 1_000_000_000L;
  private static final long START = Long.MAX_VALUE - 3 * SECOND; // the clock may overflow

  private boolean aborted;
  private boolean waitsForRoom;
  private boolean rejected;

  private final Progress progress =
      new Progress(
          new Progress.Ends() {
            @Override
            public void abort() {
              aborted = true;
            }

            @Override
            public boolean rejectReservation() {
              rejected = waitsForRoom;
              return rejected;
            }
          },
          START);

  private long now = START;

  /** Lets time pass in which the loop looks at it as it should. */
  private void pass(double seconds) {
    long end = now + (long) (seconds * SECOND);
    while (now - end < 0) {
      now += Math.min(end - now, SECOND / 10);
      progress.look(now);
    }
  }

  private boolean isOverdue() {
    return progress.overdue(now) > 0;
  }

  @Test
  void aClientThatStandsStillForASecondIsOverdue() {
    progress.owes(now);
    pass(0.9);
    assertFalse(isOverdue());
    pass(0.2);
    assertTrue(isOverdue());
  }

  @Test
  void itIsNotWhileItGoesOn() {
    progress.owes(now);
    for (int i = 0; i < 60; i++) {
      pass(0.9);
      assertFalse(isOverdue());
      progress.moved(Progress.MOVE, now);
    }
  }

  @Test
  void aFewBytesNowAndThenDoNotCount() {
    for (int i = 0; i < 11; i++) {
      progress.owes(now);
      pass(0.1);
      progress.moved(10, now);
      progress.pays(now);
    }
    progress.owes(now);
    assertTrue(isOverdue());
  }

  @Test
  void manySmallPiecesDo() {
    progress.owes(now);
    for (int i = 0; i < 100; i++) {
      pass(0.1);
      progress.moved(Progress.MOVE / 5, now);
      assertFalse(isOverdue());
    }
  }

  @Test
  void timeInWhichItOwesNothingDoesNotCount() {
    progress.owes(now);
    pass(0.5);
    progress.pays(now);
    pass(30);
    progress.owes(now);
    pass(0.4);
    assertFalse(isOverdue());
    pass(0.2);
    assertTrue(isOverdue());
  }

  @Test
  void whatItMovesWhileItOwesNothingCounts() {
    progress.owes(now);
    pass(0.9);
    progress.pays(now);
    pass(20);
    progress.moved(Progress.MOVE, now);
    pass(10);
    progress.owes(now);
    pass(0.9);
    assertFalse(isOverdue());
    pass(0.2);
    assertTrue(isOverdue());
  }

  @Test
  void oneThatHasStoodStillAndGoneOnMayStandStillTheLongerTheMoreItMoves() {
    progress.owes(now);
    pass(3);
    progress.moved(512 << 10, now);
    pass(8.9);
    assertFalse(isOverdue());
    pass(0.2);
    assertTrue(isOverdue());
    progress.moved(16 << 10, now);
    pass(1.2);
    assertFalse(isOverdue());
    pass(0.2);
    assertTrue(isOverdue());
  }

  @Test
  void howeverMuchItMovesElevenSecondsAreTooLong() {
    progress.owes(now);
    for (int i = 0; i < 10; i++) {
      pass(2);
      progress.moved(1 << 30, now);
    }
    pass(10.9);
    assertFalse(isOverdue());
    pass(0.2);
    assertTrue(isOverdue());
  }

  @Test
  void aBufferNowAndThenIsNotEnough() {
    progress.owes(now);
    pass(1.5);
    progress.moved(32 << 10, now);
    for (int i = 0; i < 5; i++) {
      pass(1.6);
      assertTrue(isOverdue());
      progress.moved(32 << 10, now);
    }
  }

  @Test
  void whoeverFillsTheBuffersAtFirstHasShownNothing() {
    progress.owes(now);
    for (int i = 0; i < 50; i++) {
      pass(0.01);
      progress.moved(64 << 10, now);
    }
    pass(1.1);
    assertTrue(isOverdue());
  }

  @Test
  void timeInWhichTheLoopStoodStillDoesNotCount() {
    progress.owes(now);
    pass(0.8);
    now += 5 * SECOND;
    progress.look(now);
    assertFalse(isOverdue());
    pass(0.3);
    assertTrue(isOverdue());
  }

  @Test
  void nothingIsOverdueThatTheLoopHasNotLookedAt() {
    progress.owes(now);
    assertFalse(progress.overdue(now) > 0);
    now += 5 * SECOND;
    progress.moved(Progress.MOVE, now);
    progress.look(now);
    assertFalse(isOverdue());
    pass(0.9);
    assertFalse(isOverdue());
  }

  @Test
  void itIsCutOff() {
    progress.owes(now);
    assertTrue(progress.cutOff());
    assertTrue(aborted);
    assertFalse(rejected);
  }

  @Test
  void whatWaitsForRoomForASecondIsOverdueTooAndNoFaultOfTheClient() {
    waitsForRoom = true;
    long waiting = now;
    pass(0.9);
    assertFalse(progress.overdue(waiting) > 0);
    pass(0.2);
    assertTrue(progress.overdue(waiting) > 0);
    assertTrue(progress.cutOff());
    assertTrue(rejected);
    assertFalse(aborted);
  }

  @Test
  void whatGoesOnMeanwhileIsLeftAlone() {
    assertFalse(progress.cutOff());
    assertFalse(aborted);
  }
}

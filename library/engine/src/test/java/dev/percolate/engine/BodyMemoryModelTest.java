package dev.percolate.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.BodyMemory.Purpose;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks the rules of {@link BodyMemory} with random schedules. */
class BodyMemoryModelTest {

  private static final Duration LONG = Duration.ofMinutes(10);
  private static final int KIB = 1 << 10;
  private static final int STEPS = 1_500;

  /** An exchange that asks for memory, waits for it, and ends when it has all that it needs. */
  private static final class Upload implements BodyMemory.OnReserved {

    private final BodyMemory.Reservation reservation;
    private final long claim;
    private final long value;
    private final boolean grows;
    private long has;
    private long arrived;
    private boolean waits;
    private boolean parsed;
    private boolean over;
    private int decisions;
    private int asked;

    Upload(BodyMemory memory, Random random) {
      reservation = memory.share().reservation();
      long most = memory.maxBodySize();
      int kind = random.nextInt(10);
      long size = kind < 5 ? 8 * KIB : kind < 8 ? most / 8 : most;
      claim = 1 + random.nextLong(size);
      value = random.nextInt(3) == 0 ? 1 + random.nextLong(most) : 0;
      grows = random.nextBoolean();
    }

    boolean isWhole() {
      return has >= claim && (parsed || value == 0);
    }

    /**
     * Performs the next action: reads ahead, or reserves memory for the body or its parsed value.
     */
    void step(Random random) {
      if (!reservation.isLarge() && random.nextInt(4) == 0 && reservation.mayRead(2 * KIB)) {
        arrived += 2 * KIB;
        reservation.note(arrived);
        if (random.nextBoolean()) {
          reservation.pass(1 + random.nextInt(2 * KIB));
        }
      } else if (has < claim) {
        has = grows ? Math.min(claim, has + 1 + random.nextLong(64 * KIB)) : claim;
        ask(has, claim, Purpose.BODY);
      } else if (!parsed && value > 0) {
        parsed = true;
        ask(Math.min(reservation.memory().maxBodySize(), claim + value), 0, Purpose.PARSED);
      }
    }

    private void ask(long total, long most, Purpose purpose) {
      waits = true;
      asked++;
      reservation.await(total, Math.max(total, most), purpose, LONG, this);
    }

    void end() {
      over = true;
      reservation.release();
      reservation.release();
    }

    @Override
    public void decided(boolean granted) {
      decisions++;
      waits = false;
      assertTrue(granted || over || reservation.isOver(), "refused although time is left");
    }
  }

  static IntStream seeds() {
    return IntStream.range(0, 60);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noScheduleExceedsTheBudgetOrDeadlocks(int seed) {
    Random random = new Random(seed);
    BodyMemory memory = BodyMemory.of(seed % 2 == 0 ? "1mb" : "8mb");
    List<Upload> uploads = new ArrayList<>();
    List<Upload> all = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      if (uploads.size() < 40 && random.nextInt(3) == 0) {
        Upload added = new Upload(memory, random);
        uploads.add(added);
        all.add(added);
      }
      if (!uploads.isEmpty()) {
        Upload one = uploads.get(random.nextInt(uploads.size()));
        boolean leaves = random.nextInt(25) == 0; // possibly while it waits
        if (leaves || (one.isWhole() && !one.waits)) {
          uploads.remove(one);
          one.end();
        } else if (!one.waits) {
          one.step(random);
        }
      }
      check(memory, uploads, seed + " at " + step);
    }
    finish(memory, uploads, random, "seed " + seed);
    for (Upload one : all) {
      assertEquals(one.asked, one.decisions, "each is decided once");
    }
  }

  private static void check(BodyMemory memory, List<Upload> uploads, String when) {
    assertTrue(memory.held() <= memory.budget(), when);
    assertTrue(memory.maxHeld() <= memory.budget(), when);
    assertEquals(
        uploads.stream().mapToLong(one -> one.reservation.taken()).sum(), memory.held(), when);
    assertEquals(uploads.stream().filter(one -> one.waits).count(), memory.waiting(), when);
    assertTrue(memory.oldestCanFinish(), when);
    int waiting = memory.waiting();
    memory.share().reservation().release(); // grants memory to each waiting body that fits
    assertEquals(waiting, memory.waiting(), when);
  }

  /** All clients send everything: each body gets its memory, and all memory is released. */
  private static void finish(BodyMemory memory, List<Upload> uploads, Random random, String when) {
    while (!uploads.isEmpty()) {
      List<Upload> free = uploads.stream().filter(one -> !one.waits).toList();
      assertFalse(free.isEmpty(), () -> when + ": all wait for each other, " + memory);
      Upload one = free.get(random.nextInt(free.size()));
      if (one.isWhole()) {
        uploads.remove(one);
        one.end();
      } else {
        one.step(random);
      }
      check(memory, uploads, when);
    }
    assertEquals(0, memory.held(), when);
    assertEquals(0, memory.waiting(), when);
  }

  @Test
  void growingBodiesThatAllHaveMemoryAreAllServed() {
    BodyMemory memory = BodyMemory.of("1mb");
    List<Upload> uploads = new ArrayList<>();
    Random random = new Random(1);
    for (int i = 0; i < 100; i++) {
      Upload one = new Upload(memory, random);
      uploads.add(one);
      one.step(random);
    }
    finish(memory, uploads, random, "a crowd");
  }

  @Test
  @DisplayName("Bodies that have arrived, and need more to be parsed, do not wait for each other")
  void parsedValuesOfBodiesThatHaveArrivedAreServedOneAfterTheOther() {
    BodyMemory memory = BodyMemory.of("1mb");
    List<BodyMemory.Reservation> rooms = new ArrayList<>();
    List<Boolean> granted = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      BodyMemory.Reservation reservation = memory.share().reservation();
      assertTrue(reservation.take(99_000, Purpose.BODY));
      rooms.add(reservation);
    }
    for (BodyMemory.Reservation reservation : rooms) {
      reservation.await(memory.maxBodySize(), Purpose.PARSED, LONG, granted::add);
    }
    for (BodyMemory.Reservation reservation : rooms) {
      assertTrue(reservation.taken() > 99_000, memory::toString);
      reservation.release();
    }
    assertEquals(5, granted.size());
    assertFalse(granted.contains(false));
    assertEquals(0, memory.held());
  }
}

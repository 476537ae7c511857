package dev.percolate.engine;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The parts of a budget, and the bytes used of each. {@link BodyMemory} describes the parts and the
 * rules. Changed under its lock only; read without it.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // read without the lock, written with it
final class BudgetParts {

  // The ends of the parts, in 32nds; the last three are relative to SMALL.
  private static final int PARTS = 32;
  private static final int READ_AHEAD = 8;
  private static final int SMALL = 12;
  private static final int LARGE_BODIES = 18;
  private static final int BODIES = 19;
  private static final int PARSED = 20;

  /** The maximum size of a body that does not wait for large ones; less if the budget is small. */
  private static final int MEDIUM = 256 << 10;

  private final long budget;
  private final GrowingBodies growing = new GrowingBodies();
  private volatile long small;
  private volatile long bodies;
  private volatile long parsed;
  private volatile long mostHeld;

  BudgetParts(long budget) {
    this.budget = budget;
  }

  long budget() {
    return budget;
  }

  long held() {
    return small + bodies + parsed;
  }

  long mostHeld() {
    return mostHeld;
  }

  /** Returns the maximum size of one body, which is less than the part for all bodies. */
  long maxBodySize() {
    return part(SMALL);
  }

  /** Returns true if a body with this claim does not count as large. */
  boolean isMedium(long most) {
    return most <= Math.min(MEDIUM, budget / (4 * PARTS));
  }

  GrowingBodies growing() {
    return growing;
  }

  boolean mayReadAhead(long more) {
    return small + more <= part(READ_AHEAD);
  }

  boolean maySmall(long more) {
    return small + more <= part(SMALL);
  }

  /** Returns true if a body may get more of its claim; the oldest body always may. */
  boolean mayGrow(Object body, long more, long total, long claim) {
    return bodies + parsed + more <= part(PARSED)
        && (growing.isOldest(body) || keepsFree(body, more, total, claim, 0));
  }

  /**
   * Returns true if a body may be admitted, or get more than its claim.
   *
   * @param body the body
   * @param more the number of additional bytes of this part
   * @param total the number of bytes that the body then has
   * @param most the maximum that it may grow to
   * @param size the size that decides whether the body is large
   */
  boolean mayBegin(Object body, long more, long total, long most, long size) {
    return bodies + parsed + more <= part(PARSED)
        && keepsFree(body, more, total, size, most > total ? most : 0);
  }

  /** Returns true if each part is within its limit, and the oldest body can reach its claim. */
  boolean oldestCanFinish() {
    long free = part(BODIES) - bodies;
    return free >= 0 && bodies + parsed <= part(PARSED) && growing.canFinish(free, growing, 0, 0);
  }

  private boolean keepsFree(Object body, long more, long total, long size, long claim) {
    long free = part(isMedium(size) ? BODIES : LARGE_BODIES) - bodies - more;
    return free >= 0 && growing.canFinish(free, body, total, claim);
  }

  /**
   * Returns the bytes to count for a parsed value: its size, or the free bytes if it is the first
   * value; -1 to refuse it.
   */
  long ofValue(long more, long before) {
    long free = part(PARSED) - bodies - parsed;
    if (more <= free) {
      return more;
    }
    return parsed == before ? Math.max(0, free) : -1;
  }

  void small(long bytes) {
    small += bytes;
    mostHeld = Math.max(mostHeld, held());
  }

  void bodies(long bytes) {
    bodies += bytes;
    mostHeld = Math.max(mostHeld, held());
  }

  void parsed(long bytes) {
    parsed += bytes;
    mostHeld = Math.max(mostHeld, held());
  }

  private long part(int end) {
    return budget / PARTS * end;
  }

  /**
   * The admitted bodies of unknown length, oldest first, with their claims. Used under the lock of
   * {@link BodyMemory}, whose rules it checks.
   */
  static final class GrowingBodies {

    private static final class Growing {
      private final long claim;
      private long taken;

      Growing(long claim) {
        this.claim = claim;
      }
    }

    private final Map<Object, Growing> bodies = new LinkedHashMap<>();

    /** The number of bodies by claim. */
    private final TreeMap<Long, Integer> claims = new TreeMap<>();

    void add(Object body, long claim) {
      bodies.put(body, new Growing(claim));
      claims.merge(claim, 1, Integer::sum);
    }

    /** Records the number of bytes that a growing body uses; ignores other bodies. */
    void changed(Object body, long taken) {
      Growing growing = bodies.get(body);
      if (growing != null) {
        growing.taken = taken;
      }
    }

    void remove(Object body) {
      Growing growing = bodies.remove(body);
      if (growing != null) {
        claims.computeIfPresent(growing.claim, (claim, count) -> count == 1 ? null : count - 1);
      }
    }

    boolean contains(Object body) {
      return bodies.containsKey(body);
    }

    boolean isOldest(Object body) {
      return !bodies.isEmpty() && bodies.keySet().iterator().next() == body;
    }

    /**
     * Returns true if the oldest body can reach the largest claim.
     *
     * @param free the number of free bytes
     * @param body the body that asks for bytes, possibly a new one
     * @param taken the number of bytes that it would then have
     * @param claim its claim in bytes; 0 if it does not grow
     */
    boolean canFinish(long free, Object body, long taken, long claim) {
      if (bodies.isEmpty()) {
        return claim == 0 || free + taken >= claim;
      }
      Map.Entry<Object, Growing> oldest = bodies.entrySet().iterator().next();
      long has = oldest.getKey() == body ? taken : oldest.getValue().taken;
      return free + has >= Math.max(claim, claims.lastKey());
    }
  }
}

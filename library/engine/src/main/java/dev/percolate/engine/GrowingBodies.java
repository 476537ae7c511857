package dev.percolate.engine;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The admitted bodies of unknown length, oldest first, with their claims. Used under the lock of
 * {@link BodyMemory}, whose rules it checks.
 */
final class GrowingBodies {

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

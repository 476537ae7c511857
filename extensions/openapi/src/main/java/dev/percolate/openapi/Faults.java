package dev.percolate.openapi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Collects the faults of one value and tracks the position of the check. Pointers (RFC 6901) are
 * only created for faults.
 */
final class Faults {

  /** The maximum number of faults. */
  private static final int MOST = 100;

  /** The maximum depth; deeper values are not checked, because each level uses the stack. */
  private static final int MOST_LEVELS = 250;

  /** The maximum number of trials; nested options could need exponentially many. */
  private static final int MOST_TRIALS = 10_000;

  private final List<Fault> list = new ArrayList<>();

  /** The path to the current position: one name or index for each level. */
  private @Nullable Object[] steps = new Object[16];

  private final int most;
  private final AtomicInteger trials;
  private final int outer;
  private int level;

  Faults() {
    this(MOST, new AtomicInteger(), 0);
  }

  private Faults(int most, AtomicInteger trials, int outer) {
    this.most = most;
    this.trials = trials;
    this.outer = outer;
  }

  /** Returns an empty collection that is full after one fault, to test whether a type matches. */
  Faults trial() {
    trials.incrementAndGet();
    return new Faults(1, trials, outer + level);
  }

  /** Returns true if the maximum number of trials is exceeded; then the type counts as matching. */
  boolean isTried() {
    return trials.get() > MOST_TRIALS;
  }

  boolean isEmpty() {
    return list.isEmpty();
  }

  boolean isFull() {
    return list.size() >= most;
  }

  /** Enters a property or a list item. */
  void enter(Object step) {
    if (level == steps.length) {
      steps = Arrays.copyOf(steps, 2 * level);
    }
    steps[level++] = step;
  }

  /** Returns true if the position is deeper than the maximum. */
  boolean isTooDeep() {
    return outer + level > MOST_LEVELS;
  }

  /** Leaves the property or list item. */
  void leave() {
    level--;
  }

  /** Adds a fault of the value at the current position. */
  void add(String detail) {
    if (!isFull()) {
      list.add(new Fault(pointer(), detail));
    }
  }

  /** Adds a fault of a property of the value at the current position. */
  void add(String property, String detail) {
    enter(property);
    add(detail);
    leave();
  }

  private String pointer() {
    StringBuilder pointer = new StringBuilder();
    for (int i = 0; i < level; i++) {
      pointer.append('/').append(JsonPointers.step(String.valueOf(steps[i])));
    }
    return pointer.toString();
  }

  List<Fault> all() {
    return list;
  }
}

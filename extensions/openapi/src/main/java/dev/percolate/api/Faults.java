package dev.percolate.api;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Collects what does not fit in one value, and knows where the check stands in it: pointers (RFC
 * 6901) are made for faults only.
 */
final class Faults {

  /** More would not help anybody. */
  private static final int MOST = 100;

  /** Deeper ones are not looked at: each level takes some of the stack. */
  private static final int MOST_LEVELS = 250;

  /** Options within options would be tried exponentially often. */
  private static final int MOST_TRIALS = 10_000;

  private final List<Fault> list = new ArrayList<>();

  /** The way to where the check stands: names and indices, as many as there are levels. */
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

  /** Returns a collection that is full with the first fault, to find out whether a type fits. */
  Faults trial() {
    trials.incrementAndGet();
    return new Faults(1, trials, outer + level);
  }

  /** Tells whether types have been tried too often: then reading to the type shall decide. */
  boolean isTried() {
    return trials.get() > MOST_TRIALS;
  }

  boolean isEmpty() {
    return list.isEmpty();
  }

  boolean isFull() {
    return list.size() >= most;
  }

  /** Goes down to a property, or to an item of a list. */
  void enter(Object step) {
    if (level == steps.length) {
      steps = Arrays.copyOf(steps, 2 * level);
    }
    steps[level++] = step;
  }

  /** Tells whether it stands deeper than checks go. */
  boolean isTooDeep() {
    return outer + level > MOST_LEVELS;
  }

  /** Goes back to where it was before. */
  void leave() {
    level--;
  }

  /** Adds a fault of the value where the check stands. */
  void add(String detail) {
    if (!isFull()) {
      list.add(new Fault(pointer(), detail));
    }
  }

  /** Adds a fault of a property of that value. */
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

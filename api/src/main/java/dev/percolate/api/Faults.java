package dev.percolate.api;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

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

  /** The way to where the check stands, the last step first: names and indices. */
  private final Deque<Object> steps = new ArrayDeque<>();

  private final int most;
  private final AtomicInteger trials;
  private int level;

  Faults() {
    this(MOST, new AtomicInteger(), 0);
  }

  private Faults(int most, AtomicInteger trials, int level) {
    this.most = most;
    this.trials = trials;
    this.level = level;
  }

  /** Returns a collection that is full with the first fault, to find out whether a type fits. */
  Faults trial() {
    trials.incrementAndGet();
    return new Faults(1, trials, level);
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
    steps.push(step);
    level++;
  }

  /** Tells whether it stands deeper than checks go. */
  boolean isTooDeep() {
    return level > MOST_LEVELS;
  }

  /** Goes back to where it was before. */
  void leave() {
    steps.pop();
    level--;
  }

  /** Adds a fault of the value where the check stands. */
  void add(String detail) {
    if (!isFull()) {
      list.add(Fault.at(pointer(), detail));
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
    for (Iterator<Object> way = steps.descendingIterator(); way.hasNext(); ) {
      pointer.append('/').append(JsonPointers.step(String.valueOf(way.next())));
    }
    return pointer.toString();
  }

  List<Fault> all() {
    return list;
  }
}

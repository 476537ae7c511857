package dev.percolate.api;

import java.util.ArrayList;
import java.util.List;

/** Collects what does not fit in one value. */
final class Faults {

  /** More would not help anybody. */
  private static final int MOST = 100;

  private final List<Fault> list = new ArrayList<>();

  boolean isEmpty() {
    return list.isEmpty();
  }

  boolean isFull() {
    return list.size() >= MOST;
  }

  void add(String pointer, String detail) {
    if (!isFull()) {
      list.add(Fault.at(pointer, detail));
    }
  }

  List<Fault> all() {
    return list;
  }
}

package dev.percolate.framework;

import java.util.Arrays;

/** The layers that one path may reach: numbers from several lists, each in its order. */
final class Candidates {

  private final String path;
  private int[][] lists = new int[4][];
  private int[] positions = new int[4];
  private int count;

  Candidates(String path) {
    this.path = path;
  }

  /** Tells whether these are the candidates of a path. */
  boolean areOf(String other) {
    return path.equals(other);
  }

  void add(int[] numbers) {
    if (numbers.length == 0) {
      return;
    }
    if (count == lists.length) {
      lists = Arrays.copyOf(lists, count * 2);
      positions = Arrays.copyOf(positions, count * 2);
    }
    lists[count++] = numbers;
  }

  /**
   * Gives the first candidate from a number on.
   *
   * @param from the number; from call to call it may only grow
   * @param none what to give if there is none
   */
  int next(int from, int none) {
    int least = none;
    for (int i = 0; i < count; i++) {
      int[] list = lists[i];
      int at = positions[i];
      while (at < list.length && list[at] < from) {
        at++;
      }
      positions[i] = at;
      if (at < list.length && list[at] < least) {
        least = list[at];
      }
    }
    return least;
  }
}

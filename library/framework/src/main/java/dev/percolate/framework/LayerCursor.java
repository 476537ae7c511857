package dev.percolate.framework;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Those of many layers that one path may reach, in their order. */
final class LayerCursor {

  private final RoutePath path;
  private final int size;
  private final @Nullable RouteIndex index;

  private static final int[][] NONE = {};

  /** Numbers from several places of the index, each list in its order. */
  private int[][] lists = NONE;

  /** How many lists there are; -1 while the index has not been asked. */
  private int count = -1;

  /**
   * Creates the candidates for a path.
   *
   * @param size how many layers there are
   * @param index where to find them; null to look at each
   */
  LayerCursor(RoutePath path, int size, @Nullable RouteIndex index) {
    this.path = path;
    this.size = size;
    this.index = index;
  }

  /** Returns true if these are the candidates of a path. */
  boolean areOf(String sent) {
    return path.sent().equals(sent);
  }

  RoutePath path() {
    return path;
  }

  /**
   * Returns the number of the first candidate from a number on; if there is none, that of layers.
   */
  int next(int from) {
    if (index == null || from < index.first()) {
      return from;
    }
    if (count < 0) {
      count = 0;
      index.collect(path.text(), this);
    }
    int least = size;
    for (int i = 0; i < count; i++) {
      int[] list = lists[i];
      int found = Arrays.binarySearch(list, from);
      int at = found < 0 ? ~found : found;
      if (at < list.length && list[at] < least) {
        least = list[at];
      }
    }
    return least;
  }

  /** Adds numbers, in ascending order. */
  void add(int[] numbers) {
    if (numbers.length > 0) {
      lists = count == lists.length ? Arrays.copyOf(lists, count * 2 + 2) : lists;
      lists[count++] = numbers;
    }
  }
}

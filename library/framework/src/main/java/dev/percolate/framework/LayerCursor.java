package dev.percolate.framework;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Iterates over the layers that one path may match, in order. */
final class LayerCursor {

  private final RoutePath path;
  private final int size;
  private final @Nullable RouteIndex index;

  private static final int[][] NONE = {};

  /** Sorted layer numbers from the index, in several lists. */
  private int[][] lists = NONE;

  /** The number of lists; -1 before the index has been searched. */
  private int count = -1;

  /**
   * Creates a cursor for a path.
   *
   * @param size the number of layers
   * @param index the index of the layers; null to visit all layers
   */
  LayerCursor(RoutePath path, int size, @Nullable RouteIndex index) {
    this.path = path;
    this.size = size;
    this.index = index;
  }

  /** Returns true if this cursor is for a path. */
  boolean areOf(String sent) {
    return path.sent().equals(sent);
  }

  RoutePath path() {
    return path;
  }

  /**
   * Returns the number of the next candidate, starting at a number; the number of layers if there
   * is none.
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

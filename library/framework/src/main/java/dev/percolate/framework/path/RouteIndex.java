package dev.percolate.framework.path;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the layers that a path may match among many layers, in time that depends on the path. Few
 * layers are all found, because checking each is as fast as searching.
 *
 * <p>Routes are in a tree by the segments of their paths; a parameter is a separate branch. The
 * search follows all branches that fit the path. Layers that have no known segments are always
 * found. The index may find too many layers, but never too few: only the layer decides whether it
 * matches.
 */
public final class RouteIndex {

  /** The maximum number of layers that are all found. */
  private static final int FEW = 16;

  private final Node root = new Node();
  private final int size;
  private final int first;

  /** A node of the tree, after some segments. */
  private static final class Node {

    private final SegmentMap<Node> texts = new SegmentMap<>();
    private @Nullable Node anything;

    /** The routes whose path may end here, and those that match anything after this node. */
    private int[] ending = {};

    private int[] open = {};
  }

  /**
   * Creates an index.
   *
   * @param few the maximum number of layers that are all found
   */
  RouteIndex(List<? extends @Nullable CompiledPath> layers, int few) {
    this.size = layers.size();
    if (size <= few) {
      this.first = Integer.MAX_VALUE;
      return;
    }
    for (int i = 0; i < size; i++) {
      for (PathShape shape : shapes(layers.get(i))) {
        add(shape, i);
      }
    }
    int open = 0;
    while (open < size && shapes(layers.get(open)).contains(PathShape.ANYTHING)) {
      open++;
    }
    this.first = Math.max(1, open);
  }

  /**
   * Creates the index of layers.
   *
   * @param layers the path of each layer, in order; null if any path may match it
   */
  public static RouteIndex of(List<? extends @Nullable CompiledPath> layers) {
    return new RouteIndex(layers, FEW);
  }

  /** Returns the layers that a path may match. */
  public Candidates candidates(RoutePath path) {
    return new Candidates(path);
  }

  /**
   * Returns the number of the first layer that needs the index. Any path may match the layers
   * before it, and checking the very first layer is faster than searching.
   */
  int first() {
    return first;
  }

  private static Set<PathShape> shapes(@Nullable CompiledPath layer) {
    return layer == null ? Set.of(PathShape.ANYTHING) : layer.shapes();
  }

  private void add(PathShape shape, int number) {
    Node node = root;
    for (String segment : shape.segments()) {
      if (segment != null) {
        node = node.texts.computeIfAbsent(segment, Node::new);
      } else {
        node.anything = node.anything == null ? new Node() : node.anything;
        node = node.anything;
      }
    }
    if (shape.open()) {
      node.open = with(number, node.open);
    } else {
      node.ending = with(number, node.ending);
    }
  }

  /**
   * Follows a path down from a node.
   *
   * @param from the start of its next segment; greater than its length if there is none
   */
  private static void collect(Node top, String path, int from, Candidates found) {
    int start = from;
    for (Node node = top; node != null; ) {
      found.add(node.open);
      if (start >= path.length()) {
        found.add(node.ending); // also with a trailing slash, which may be ignored
      }
      if (start > path.length()) {
        return;
      }
      int hash = 0;
      int end = start;
      for (; end < path.length() && path.charAt(end) != '/'; end++) {
        hash = SegmentMap.hash(hash, path.charAt(end));
      }
      Node text = node.texts.get(path, start, end, hash);
      Node anything = node.anything;
      start = end + 1;
      if (text != null && anything != null) {
        collect(text, path, start, found);
      }
      node = anything == null ? text : anything;
    }
  }

  private static int[] with(int number, int[] list) {
    int[] longer = Arrays.copyOf(list, list.length + 1);
    longer[list.length] = number;
    return longer;
  }

  /** Iterates over the layers that one path may match, in order. */
  public final class Candidates {

    private static final int[][] NONE = {};

    private final RoutePath path;

    /** Sorted layer numbers, in several lists. */
    private int[][] lists = NONE;

    /** The number of lists; -1 before the index has been searched. */
    private int count = -1;

    private Candidates(RoutePath path) {
      this.path = path;
    }

    /** Returns true if these are the candidates for a path. */
    public boolean areFor(String sent) {
      return path.sent().equals(sent);
    }

    /** Returns the path. */
    public RoutePath path() {
      return path;
    }

    /**
     * Returns the number of the next candidate, starting at a number; the number of layers if there
     * is none.
     */
    public int next(int from) {
      if (from < first) {
        return from;
      }
      if (count < 0) {
        count = 0;
        search();
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

    private void search() {
      String text = path.text();
      if (text.startsWith("/")) {
        collect(root, text, 1, this);
      } else {
        add(root.open);
      }
    }

    /** Adds numbers, in ascending order. */
    private void add(int[] numbers) {
      if (numbers.length > 0) {
        lists = count == lists.length ? Arrays.copyOf(lists, count * 2 + 2) : lists;
        lists[count++] = numbers;
      }
    }
  }
}

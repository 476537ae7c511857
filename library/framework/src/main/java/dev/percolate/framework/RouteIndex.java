package dev.percolate.framework;

import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the layers that a path may match among many layers, in time that depends on the path.
 *
 * <p>Routes are in a tree by the segments of their paths; a parameter is a separate branch. The
 * search follows all branches that fit the path. Layers that have no known segments are always
 * found. The index may find too many layers, but never too few: only the layer decides whether it
 * matches.
 */
final class RouteIndex {

  private final Node root = new Node();
  private final int first;

  /** A node of the tree, after some segments. */
  private static final class Node {

    private final SegmentMap<Node> texts = new SegmentMap<>();
    private @Nullable Node anything;

    /** The routes whose path may end here, and those that match anything after this node. */
    private int[] ending = {};

    private int[] open = {};
  }

  RouteIndex(Layer[] layers) {
    for (int i = 0; i < layers.length; i++) {
      for (PathShape shape : shapes(layers[i])) {
        add(shape, i);
      }
    }
    trim(root);
    int open = 0;
    while (open < layers.length && shapes(layers[open]).contains(PathShape.ANYTHING)) {
      open++;
    }
    first = Math.max(1, open);
  }

  private static Set<PathShape> shapes(Layer layer) {
    return layer instanceof RouteLayer route
        ? route.pattern().shapes()
        : Set.of(PathShape.ANYTHING);
  }

  /**
   * Returns the number of the first layer that needs the index. Any path may match the layers
   * before it, and checking the very first layer is faster than searching.
   */
  int first() {
    return first;
  }

  /** Adds the layers that a path may match to the candidates. */
  void collect(String path, LayerCursor found) {
    if (path.startsWith("/")) {
      collect(root, path, 1, found);
    } else {
      found.add(root.open);
    }
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
  private static void collect(Node top, String path, int from, LayerCursor found) {
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

  /** Adds a number to a list that doubles its capacity; its last element is its size. */
  private static int[] with(int number, int[] list) {
    if (list.length == 0) {
      return new int[] {number, 1};
    }
    int size = list[list.length - 1];
    int[] room = size + 1 < list.length ? list : Arrays.copyOf(list, list.length * 2);
    room[size] = number;
    room[room.length - 1] = size + 1;
    return room;
  }

  private static void trim(Node node) {
    node.open = trimmed(node.open);
    node.ending = trimmed(node.ending);
    node.texts.values().forEach(RouteIndex::trim);
    if (node.anything != null) {
      trim(node.anything);
    }
  }

  private static int[] trimmed(int[] list) {
    return list.length == 0 ? list : Arrays.copyOf(list, list[list.length - 1]);
  }
}

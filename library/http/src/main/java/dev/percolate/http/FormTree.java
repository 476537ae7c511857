package dev.percolate.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Builds the nested value of a form by merging one chain of keys for each name.
 *
 * <p>Nodes are strings, sparse lists and maps. An index above the limit turns a list into a map
 * that remembers its highest index, so that items can still be appended. A list created from a
 * string and a map is marked as a conflict; a map that replaces this list has the same mark.
 */
final class FormTree {
  private static final String PROTO = "__proto__";
  private static final long UNMARKED = -1;
  private static final long GREATEST_INDEX = 1L << 53;

  private final long indexLimit;
  private final Node root = new Node();

  FormTree(long indexLimit) {
    this.indexLimit = indexLimit;
  }

  /** Merges a name and its value, a string or a list, into the tree. */
  void add(FormName name, Object value) {
    merge(root, name, 0, value);
  }

  /** Returns the values without gaps in lists. */
  Map<String, Object> result() {
    return plain(root);
  }

  /**
   * Merges a chain of keys into a target and returns the result. Descends into existing nodes
   * instead of building the chain, where that gives the same result.
   */
  private Object merge(Object target, FormName name, int from, Object value) {
    if (from == name.size()) {
      return merge(target, value);
    }
    long index = index(name, from);
    if (target instanceof Node node && node.isUnmarked()) {
      String key = name.key(from);
      if (index == UNMARKED && !name.appends(from) && !key.equals(PROTO)) {
        Object present = node.entries.get(key);
        Object merged =
            present == null ? chain(name, from + 1, value) : merge(present, name, from + 1, value);
        if (merged != present) {
          node.entries.put(key, merged);
        }
        return node;
      }
    } else if (target instanceof Sparse list && index != UNMARKED && index < indexLimit) {
      Object present = list.get(index);
      if (present == null) {
        list.put(index, chain(name, from + 1, value));
        return list;
      }
      if (!(present instanceof String) && from + 1 < name.size()) {
        list.put(index, merge(present, name, from + 1, value));
        return list;
      }
    }
    return merge(target, chain(name, from, value));
  }

  private Object chain(FormName name, int from, Object value) {
    Object chain = value;
    for (int i = name.size() - 1; i >= from; i--) {
      chain = wrap(name, i, chain);
    }
    return chain;
  }

  private Object wrap(FormName name, int i, Object leaf) {
    if (name.appends(i)) {
      if (leaf instanceof Node node && node.overflow != UNMARKED) {
        return leaf;
      }
      Sparse list = new Sparse();
      if (leaf instanceof Sparse items) {
        items.forEach(list::put);
      } else {
        list.append(leaf);
      }
      return list;
    }
    String key = name.key(i);
    long index = index(name, i);
    if (index != UNMARKED && index < indexLimit) {
      Sparse list = new Sparse();
      list.put(index, leaf);
      return list;
    }
    Node node = new Node();
    if (!key.equals(PROTO)) {
      node.entries.put(key, leaf);
      node.overflow = index;
    }
    return node;
  }

  private static long index(FormName name, int i) {
    return name.isBracketed(i) ? number(name.key(i)) : UNMARKED;
  }

  private static Object merge(Object target, Object source) {
    if (source instanceof String text) {
      return text.isEmpty() ? target : mergeText(target, text);
    }
    if (target instanceof String) {
      return mergeIntoText(target, source);
    }
    if (target instanceof Sparse list && source instanceof Sparse items) {
      items.forEach((index, value) -> mergeItem(list, index, value));
      return list;
    }
    Node node = target instanceof Sparse list ? toNode(list) : (Node) target;
    mergeEntries(node, source);
    return node;
  }

  private static Object mergeText(Object target, String source) {
    if (target instanceof Sparse list) {
      list.append(source);
      return list;
    }
    if (target instanceof Node node) {
      if (node.overflow != UNMARKED) {
        node.entries.put(Long.toString(++node.overflow), source);
        return node;
      }
      if (node.conflict != UNMARKED) {
        node.entries.put(Long.toString(++node.conflict), source);
        return node;
      }
    }
    Sparse list = new Sparse();
    list.append(target);
    list.append(source);
    list.conflict = target instanceof Node;
    return list;
  }

  private static Object mergeIntoText(Object target, Object source) {
    if (source instanceof Node node && node.overflow != UNMARKED) {
      Node shifted = new Node();
      shifted.entries.put("0", target);
      node.entries.forEach(
          (name, value) -> {
            long index = number(name);
            shifted.entries.put(index == UNMARKED ? name : Long.toString(index + 1), value);
          });
      shifted.overflow = node.overflow + 1;
      return shifted;
    }
    Sparse list = new Sparse();
    list.append(target);
    if (source instanceof Sparse items) {
      items.forEach((index, value) -> list.put(index + 1, value));
    } else {
      list.append(source);
    }
    return list;
  }

  private static void mergeItem(Sparse list, long index, Object value) {
    Object present = list.get(index);
    if (present == null) {
      list.put(index, value);
    } else if (present instanceof String || value instanceof String) {
      list.append(value);
    } else {
      list.put(index, merge(present, value));
    }
  }

  private static Node toNode(Sparse list) {
    Node node = new Node();
    list.forEach((index, value) -> node.entries.put(Long.toString(index), value));
    node.conflict = list.conflict ? list.last() : UNMARKED;
    return node;
  }

  private static void mergeEntries(Node target, Object source) {
    if (source instanceof Sparse items) {
      items.forEach((index, value) -> mergeEntry(target, Long.toString(index), value, UNMARKED));
    } else {
      Node node = (Node) source;
      node.entries.forEach((name, value) -> mergeEntry(target, name, value, node.overflow));
    }
  }

  private static void mergeEntry(Node target, String name, Object value, long overflow) {
    Object present = target.entries.get(name);
    target.entries.put(name, present == null ? value : merge(present, value));
    if (overflow != UNMARKED && target.overflow == UNMARKED) {
      target.overflow = overflow;
      for (String key : target.entries.keySet()) {
        target.overflow = Math.max(target.overflow, number(key));
      }
    }
    long index = number(name);
    if (target.overflow != UNMARKED) {
      target.overflow = Math.max(target.overflow, index);
    } else if (target.conflict != UNMARKED) {
      target.conflict = Math.max(target.conflict, index);
    }
  }

  /**
   * Returns the number that a name consists of, without sign and leading zeros; else {@link
   * #UNMARKED}.
   */
  private static long number(String name) {
    int length = name.length();
    if (length == 0 || length > 16 || (length > 1 && name.charAt(0) == '0')) {
      return UNMARKED;
    }
    long value = 0;
    for (int i = 0; i < length; i++) {
      char c = name.charAt(i);
      if (c < '0' || c > '9') {
        return UNMARKED;
      }
      value = 10 * value + c - '0';
    }
    return value <= GREATEST_INDEX ? value : UNMARKED;
  }

  /** Replaces all nodes with plain values, and returns the map. */
  private static Map<String, Object> plain(Node node) {
    node.entries.replaceAll((name, value) -> plainValue(value));
    return node.entries;
  }

  private static Object plainValue(Object value) {
    if (value instanceof Node node) {
      return plain(node);
    }
    if (value instanceof Sparse list) {
      List<Object> items = list.withoutGaps();
      items.replaceAll(FormTree::plainValue);
      return items;
    }
    return value;
  }

  /** A map, with the marks of the list that it replaces. */
  private static final class Node {
    final Map<String, Object> entries = new LinkedHashMap<>();
    long overflow = UNMARKED;
    long conflict = UNMARKED;

    boolean isUnmarked() {
      return overflow == UNMARKED && conflict == UNMARKED;
    }
  }

  /** A list that stores only the items that were set, since clients choose the indices. */
  static final class Sparse {
    private final List<Object> start = new ArrayList<>(4);

    /** The items after the first gap. */
    private @Nullable TreeMap<Long, Object> rest;

    private boolean conflict;

    /** Receives the items of a list. */
    @FunctionalInterface
    interface Taker {
      void take(long index, Object item);
    }

    void append(Object item) {
      put(last() + 1, item);
    }

    @Nullable Object get(long index) {
      if (index < start.size()) {
        return start.get((int) index);
      }
      return rest == null ? null : rest.get(index);
    }

    void put(long index, Object item) {
      if (index < start.size()) {
        start.set((int) index, item);
      } else if (index == start.size() && rest == null) {
        start.add(item);
      } else {
        rest = rest == null ? new TreeMap<>() : rest;
        rest.put(index, item);
      }
    }

    /** Returns the highest index; -1 if the list is empty. */
    long last() {
      return rest == null ? start.size() - 1 : rest.lastKey();
    }

    void forEach(Taker taker) {
      for (int i = 0; i < start.size(); i++) {
        taker.take(i, start.get(i));
      }
      if (rest != null) {
        rest.forEach(taker::take);
      }
    }

    List<Object> withoutGaps() {
      if (rest != null) {
        start.addAll(rest.values());
      }
      return start;
    }
  }
}

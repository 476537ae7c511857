package dev.percolate.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Builds the nested value of a form out of one chain for each name.
 *
 * <p>Nodes are texts, sparse lists and maps. A list that got an index beyond the limit is a map
 * marked with its greatest index, so that further items can still be appended; a list that came of
 * a text meeting a map is marked, and passes the mark on to the map that it may turn into.
 */
final class FormTree {
  private static final long UNMARKED = -1;
  private static final long GREATEST_INDEX = 1L << 53;

  private final long indexLimit;
  private final Node root = new Node();

  FormTree(long indexLimit) {
    this.indexLimit = indexLimit;
  }

  /** Merges one name with its value, a text or a list, into the whole. */
  void add(List<String> segments, Object value) {
    Object chain = value;
    for (int i = segments.size() - 1; i >= 0; i--) {
      chain = wrap(segments.get(i), chain);
    }
    merge(root, chain);
  }

  /** Returns the whole with all gaps closed. */
  Map<String, Object> result() {
    return plain(root);
  }

  private Object wrap(String segment, Object leaf) {
    if (segment.equals("[]")) {
      if (leaf instanceof Node node && node.overflow != UNMARKED) {
        return leaf;
      }
      Sparse list = new Sparse();
      if (leaf instanceof Sparse items) {
        list.items.putAll(items.items);
      } else {
        list.append(leaf);
      }
      return list;
    }
    boolean wrapped = segment.startsWith("[") && segment.endsWith("]");
    String name = wrapped ? segment.substring(1, segment.length() - 1) : segment;
    long index = wrapped ? number(name) : UNMARKED;
    if (index != UNMARKED && index < indexLimit) {
      Sparse list = new Sparse();
      list.items.put(index, leaf);
      return list;
    }
    Node node = new Node();
    if (!name.equals("__proto__")) {
      node.entries.put(name, leaf);
      node.overflow = index;
    }
    return node;
  }

  private static Object merge(Object target, Object source) {
    if (source instanceof String text) {
      return text.isEmpty() ? target : mergeText(target, text);
    }
    if (target instanceof String) {
      return mergeIntoText(target, source);
    }
    if (target instanceof Sparse list && source instanceof Sparse items) {
      items.items.forEach((index, value) -> mergeItem(list, index, value));
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
      items.items.forEach((index, value) -> list.items.put(index + 1, value));
    } else {
      list.append(source);
    }
    return list;
  }

  private static void mergeItem(Sparse list, Long index, Object value) {
    Object present = list.items.get(index);
    if (present == null) {
      list.items.put(index, value);
    } else if (present instanceof String || value instanceof String) {
      list.append(value);
    } else {
      list.items.put(index, merge(present, value));
    }
  }

  private static Node toNode(Sparse list) {
    Node node = new Node();
    list.items.forEach((index, value) -> node.entries.put(index.toString(), value));
    node.conflict = list.conflict ? list.items.lastKey() : UNMARKED;
    return node;
  }

  private static void mergeEntries(Node target, Object source) {
    if (source instanceof Sparse items) {
      items.items.forEach((index, value) -> mergeEntry(target, index.toString(), value, UNMARKED));
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

  /** Returns the number that a name is without sign and leading zeros, or the absent mark. */
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

  private static Map<String, Object> plain(Node node) {
    Map<String, Object> map = new LinkedHashMap<>();
    node.entries.forEach((name, value) -> map.put(name, plainValue(value)));
    return map;
  }

  private static Object plainValue(Object value) {
    if (value instanceof Node node) {
      return plain(node);
    }
    if (value instanceof Sparse list) {
      List<Object> items = new ArrayList<>(list.items.size());
      list.items.values().forEach(item -> items.add(plainValue(item)));
      return items;
    }
    return value;
  }

  /** A map, with the marks of a former list. */
  private static final class Node {
    final Map<String, Object> entries = new LinkedHashMap<>();
    long overflow = UNMARKED;
    long conflict = UNMARKED;
  }

  /** A list that holds an item only where one was put: indices come from the network. */
  static final class Sparse {
    private final TreeMap<Long, Object> items = new TreeMap<>();
    private boolean conflict;

    void append(Object item) {
      items.put(items.isEmpty() ? 0 : items.lastKey() + 1, item);
    }
  }
}

package dev.percolate.framework.path;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A map with path segments as keys, ignoring the case of ASCII letters. A segment is looked up in
 * its path without creating a substring.
 *
 * @param <V> the type of the values
 */
final class SegmentMap<V> {

  private static final int LEAST = 2;

  /** The segments, in a hash table with linear probing. */
  private @Nullable String[] segments = new String[LEAST];

  private @Nullable Object[] values = new Object[LEAST];
  private int size;

  /** Returns the hash of a segment after one more character; the hash of an empty segment is 0. */
  static int hash(int before, char c) {
    return before * 31 + PathMatcher.lower(c);
  }

  /**
   * Returns the value of a part of a path; null if there is none.
   *
   * @param hash the hash of the characters
   */
  @SuppressWarnings("unchecked") // only put writes
  @Nullable V get(String path, int start, int end, int hash) {
    return (V) values[place(path, start, end, hash)];
  }

  /** Returns the value of a segment, created if absent. */
  V computeIfAbsent(String segment, Supplier<V> make) {
    V known = get(segment, 0, segment.length(), hash(segment));
    if (known != null) {
      return known;
    }
    V made = make.get();
    put(segment, made);
    return made;
  }

  private void put(String segment, Object value) {
    if (2 * size == segments.length) {
      grow();
    }
    int place = place(segment, 0, segment.length(), hash(segment));
    segments[place] = segment;
    values[place] = value;
    size++;
  }

  private void grow() {
    @Nullable String[] names = segments;
    @Nullable Object[] before = values;
    segments = new String[2 * names.length];
    values = new Object[2 * names.length];
    size = 0;
    for (int i = 0; i < names.length; i++) {
      String name = names[i];
      Object value = before[i];
      if (name != null && value != null) {
        put(name, value);
      }
    }
  }

  /** Returns the index of a segment; a free index if it is absent. */
  private int place(String path, int start, int end, int hash) {
    int last = segments.length - 1;
    int place = (hash ^ hash >>> 16 ^ hash >>> 8) & last;
    for (String known = segments[place]; known != null; known = segments[place]) {
      if (known.length() == end - start && PathMatcher.equal(path, start, known, 0, end - start)) {
        return place;
      }
      place = (place + 1) & last;
    }
    return place;
  }

  private static int hash(String segment) {
    int hash = 0;
    for (int i = 0; i < segment.length(); i++) {
      hash = hash(hash, segment.charAt(i));
    }
    return hash;
  }
}

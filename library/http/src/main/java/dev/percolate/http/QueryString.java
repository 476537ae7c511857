package dev.percolate.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses the query of a URL into nested values: {@code a[b]=1&c[]=2} becomes a map and a list.
 *
 * <p>Never fails: text that cannot be decoded or nested is kept as it is. At most 1000 parameters,
 * five levels of brackets and indices up to 20 are used, which limits time and memory.
 */
public final class QueryString {
  private static final int PART_LIMIT = 1000;
  private static final int DEPTH_LIMIT = 5;
  private static final int INDEX_LIMIT = 20;

  /** Marks an index of a list that was not set. */
  private static final Object GAP = new Object();

  private QueryString() {}

  /**
   * Parses a query.
   *
   * @param query the encoded text after the question mark; null if absent
   * @return a new map in order of first appearance. Values are strings, and lists and maps of
   *     values. A string that is merged into a map becomes a key with the value {@code true}; a gap
   *     in a nested list is null
   */
  public static Map<String, Object> parse(@Nullable String query) {
    Map<String, Object> whole = new LinkedHashMap<>();
    if (query == null || query.isEmpty()) {
      return whole;
    }
    for (Map.Entry<String, Object> entry : collect(query).entrySet()) {
      if (!entry.getKey().isEmpty()) {
        Object chain = chain(segments(entry.getKey()), entry.getValue());
        mergeIntoMap(whole, chain);
      }
    }
    whole.replaceAll((name, value) -> withoutGaps(value));
    return whole;
  }

  private static Map<String, Object> collect(String query) {
    Map<String, Object> values = new LinkedHashMap<>();
    int start = 0;
    for (int part = 0; part < PART_LIMIT && start <= query.length(); part++) {
      int end = Ascii.indexOrEnd(query, '&', start);
      collectPart(query.substring(start, end), values);
      start = end + 1;
    }
    return values;
  }

  private static void collectPart(String part, Map<String, Object> values) {
    int bracket = part.indexOf("]=");
    int equals = bracket < 0 ? part.indexOf('=') : bracket + 1;
    if (equals < 0) {
      values.put(Percent.decodeQuery(part), "");
      return;
    }
    String name = Percent.decodeQuery(part.substring(0, equals));
    String value = Percent.decodeQuery(part.substring(equals + 1));
    Object earlier = values.putIfAbsent(name, value);
    if (earlier instanceof List<?>) {
      asList(earlier).add(value);
    } else if (earlier != null) {
      List<Object> list = new ArrayList<>();
      list.add(earlier);
      list.add(value);
      values.put(name, list);
    }
  }

  /** Returns the segments of a name; all but the first have their brackets. */
  private static List<String> segments(String name) {
    List<String> segments = new ArrayList<>(2);
    int end = 0;
    while (end < name.length() && name.charAt(end) != '[' && name.charAt(end) != ']') {
      end++;
    }
    if (end > 0) {
      segments.add(name.substring(0, end));
    }
    int open = -1;
    int groups = 0;
    for (int i = end; i < name.length(); i++) {
      if (name.charAt(i) == '[') {
        open = i;
      } else if (name.charAt(i) == ']' && open >= 0) {
        if (groups == DEPTH_LIMIT) {
          segments.add('[' + name.substring(open) + ']');
          break;
        }
        segments.add(name.substring(open, i + 1));
        groups++;
        open = -1;
      }
    }
    return segments;
  }

  private static Object chain(List<String> segments, Object value) {
    Object chain = value;
    for (int i = segments.size() - 1; i >= 0; i--) {
      String segment = segments.get(i);
      boolean wrapped = segment.length() > 1 && segment.charAt(0) == '[';
      String name = wrapped ? segment.substring(1, segment.length() - 1) : segment;
      int index = wrapped ? index(name) : -1;
      List<Object> list = new ArrayList<>();
      if (wrapped && name.isEmpty()) {
        if (chain instanceof List<?>) {
          list.addAll(asList(chain));
        } else {
          list.add(chain);
        }
        chain = list;
      } else if (index >= 0) {
        put(list, index, chain);
        chain = list;
      } else {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(name, chain);
        chain = map;
      }
    }
    return chain;
  }

  /**
   * Returns the index that a name consists of, without leading zeros; -1 if it is not an index up
   * to the limit.
   */
  private static int index(String name) {
    if (name.isEmpty() || name.length() > 2 || (name.length() == 2 && name.charAt(0) == '0')) {
      return -1;
    }
    int value = 0;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      value = 10 * value + c - '0';
    }
    return value <= INDEX_LIMIT ? value : -1;
  }

  private static Object merge(Object target, Object source) {
    if (source instanceof Map<?, ?>) {
      if (!(target instanceof List<?>) && !(target instanceof Map<?, ?>)) {
        return listOf(target, source);
      }
      Map<String, Object> map = target instanceof List<?> ? toMap(asList(target)) : asMap(target);
      mergeIntoMap(map, source);
      return map;
    }
    if (source instanceof List<?>) {
      return mergeList(target, asList(source));
    }
    if (source.equals("")) {
      return target;
    }
    if (target instanceof List<?>) {
      asList(target).add(source);
      return target;
    }
    if (target instanceof Map<?, ?>) {
      asMap(target).put(String.valueOf(source), true);
      return target;
    }
    return listOf(target, source);
  }

  private static Object mergeList(Object target, List<Object> source) {
    if (target instanceof Map<?, ?>) {
      mergeIntoMap(asMap(target), source);
      return target;
    }
    if (!(target instanceof List<?>)) {
      List<Object> list = listOf(target);
      list.addAll(source);
      return list;
    }
    List<Object> list = asList(target);
    for (int i = 0; i < source.size(); i++) {
      Object value = source.get(i);
      if (value != GAP) {
        boolean present = i < list.size() && list.get(i) != GAP;
        put(list, i, present ? merge(list.get(i), value) : value);
      }
    }
    return list;
  }

  private static void mergeIntoMap(Map<String, Object> target, Object source) {
    if (source instanceof List<?>) {
      mergeIntoMap(target, toMap(asList(source)));
    } else if (source instanceof Map<?, ?>) {
      asMap(source)
          .forEach(
              (name, value) -> {
                Object present = target.get(name);
                target.put(name, present == null ? value : merge(present, value));
              });
    } else if (!source.equals("")) {
      target.put(String.valueOf(source), true);
    }
  }

  private static void put(List<Object> list, int index, Object value) {
    while (list.size() <= index) {
      list.add(GAP);
    }
    list.set(index, value);
  }

  private static Map<String, Object> toMap(List<Object> list) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i) != GAP) {
        map.put(Integer.toString(i), list.get(i));
      }
    }
    return map;
  }

  private static List<Object> listOf(Object... items) {
    return new ArrayList<>(List.of(items));
  }

  /** Removes gaps from lists in maps; gaps in nested lists become null. */
  private static Object withoutGaps(Object value) {
    if (value instanceof Map<?, ?>) {
      asMap(value).replaceAll((name, inner) -> withoutGaps(inner));
    } else if (value instanceof List<?>) {
      List<Object> list = asList(value);
      list.removeIf(item -> item == GAP);
      list.forEach(QueryString::gapsToNull);
    }
    return value;
  }

  private static void gapsToNull(Object value) {
    if (value instanceof Map<?, ?>) {
      asMap(value).values().forEach(QueryString::gapsToNull);
    } else if (value instanceof List<?>) {
      List<@Nullable Object> list = asNullableList(value);
      list.replaceAll(item -> item == GAP ? null : item);
      list.forEach(
          item -> {
            if (item != null) {
              gapsToNull(item);
            }
          });
    }
  }

  @SuppressWarnings("unchecked") // only lists that this class created as List<Object>
  private static List<Object> asList(Object value) {
    return (List<Object>) value;
  }

  @SuppressWarnings("unchecked") // as asList; nulls replace gaps at the very end
  private static List<@Nullable Object> asNullableList(Object value) {
    return (List<@Nullable Object>) value;
  }

  @SuppressWarnings("unchecked") // only maps that this class created as Map<String, Object>
  private static Map<String, Object> asMap(Object value) {
    return (Map<String, Object>) value;
  }
}

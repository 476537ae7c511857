package dev.percolate.core;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Nests the fields and files of a form by the brackets in their names, however the parser has
 * represented them: {@code lines[0][price]} becomes a map in a map. The keys of a list are its
 * indices.
 *
 * <p>Time and memory are proportional to the length of the names.
 */
final class FormFields {

  private static final int MOST_DEPTH = 32;

  /** The prefix of the keys of values without an index, as in {@code tag[]}. */
  private static final String APPENDED = "[]";

  private final Map<String, Object> whole = new LinkedHashMap<>();

  private FormFields() {}

  /**
   * Returns all fields and files by name.
   *
   * @param fields the fields, as a parser has created them
   * @param files the files
   */
  static Map<String, Object> nested(Map<?, ?> fields, List<? extends FormFile> files) {
    FormFields all = new FormFields();
    fields.forEach((name, value) -> all.add(String.valueOf(name), copied(value)));
    files.forEach(file -> all.add(file.field(), file));
    return all.whole;
  }

  /** Copies nested maps, because the result of the parser must not change. */
  private static @Nullable Object copied(@Nullable Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      return value;
    }
    Map<String, @Nullable Object> copy = new LinkedHashMap<>();
    map.forEach((name, inner) -> copy.put(String.valueOf(name), copied(inner)));
    return copy;
  }

  /** Returns true if a key is not an index, but stands for the next element of a list. */
  static boolean appends(String key) {
    return key.startsWith(APPENDED);
  }

  private void add(String name, @Nullable Object value) {
    if (value == null) {
      return;
    }
    List<String> keys = keys(name);
    Map<String, Object> inner = whole;
    for (String key : keys.subList(0, keys.size() - 1)) {
      inner = map(inner, key);
    }
    String last = keys.get(keys.size() - 1);
    if (last.isEmpty() && inner != whole) {
      append(inner, value);
    } else {
      inner.merge(last, value, FormFields::together);
    }
  }

  /**
   * Splits {@code a[b][]} into a, b and an empty key. A name with an unclosed bracket is not split.
   */
  private static List<String> keys(String name) {
    int open = name.indexOf('[');
    if (open <= 0 || !name.endsWith("]")) {
      return List.of(name);
    }
    List<String> keys = new ArrayList<>(4);
    keys.add(name.substring(0, open));
    while (open >= 0 && open < name.length()) {
      int close = keys.size() < MOST_DEPTH ? name.indexOf(']', open) : name.length() - 1;
      keys.add(name.substring(open + 1, close));
      open = close + 1;
      if (open < name.length() && name.charAt(open) != '[') {
        return List.of(name);
      }
    }
    return keys;
  }

  /** Returns the map of a key. An existing value is converted into a map. */
  private static Map<String, Object> map(Map<String, Object> outer, String key) {
    String place = key.isEmpty() ? APPENDED + outer.size() : key;
    Object present = outer.get(place);
    Map<String, Object> map = new LinkedHashMap<>();
    if (present instanceof Map<?, ?> known) {
      return cast(known);
    } else if (present instanceof List<?> list) {
      for (Object item : list) {
        map.put(Integer.toString(map.size()), item);
      }
    } else if (present != null) {
      append(map, present);
    }
    outer.put(place, map);
    return map;
  }

  private static void append(Map<String, Object> map, Object value) {
    for (Object item : value instanceof List<?> list ? list : List.of(value)) {
      map.put(APPENDED + map.size(), item);
    }
  }

  /** Combines two values of a name. */
  private static Object together(Object present, Object next) {
    if (present instanceof Map<?, ?> map) {
      if (next instanceof Map<?, ?> more) {
        more.forEach((name, value) -> cast(map).merge((String) name, value, FormFields::together));
      } else {
        append(cast(map), next);
      }
      return present;
    }
    if (next instanceof Map<?, ?> map) {
      append(cast(map), present);
      return next;
    }
    List<Object> list =
        new ArrayList<>(present instanceof List<?> known ? known : List.of(present));
    list.addAll(next instanceof List<?> more ? more : List.of(next));
    return list;
  }

  @SuppressWarnings("unchecked") // created by this class
  private static Map<String, Object> cast(Map<?, ?> map) {
    return (Map<String, Object>) map;
  }
}

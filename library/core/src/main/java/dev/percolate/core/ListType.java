package dev.percolate.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads all values of a name: {@code tag=1&tag=2}, {@code tag[]=1&tag[]=2}, {@code
 * lines[0][price]=3}. Empty strings are left out, except in lists of strings.
 *
 * @param inner reads each element
 * @param made creates the list, set or array from the elements
 */
record ListType(InputType inner, Function<List<Object>, Object> made) implements InputType {

  private static final Pattern INDEX = Pattern.compile("[0-9]{1,9}");

  @Override
  public String wanted() {
    return "a list";
  }

  @Override
  public Object absent() {
    return made.apply(List.of());
  }

  @Override
  public @Nullable Object read(Object sent, InputPath at, InputErrors errors) {
    Iterable<?> items = items(sent);
    if (items == null) {
      return InputType.faulty(this, at, null, errors);
    }
    List<Object> values = new ArrayList<>();
    boolean faulty = false;
    int index = 0;
    for (Object item : items) {
      InputPath place = at.to(Integer.toString(index++));
      Object value = item == null ? null : inner.read(item, place, errors);
      faulty |= value == FAULTY;
      if (value != null) {
        values.add(value);
      }
    }
    return faulty ? FAULTY : made.apply(values);
  }

  /** Returns the elements in order; null if the value is not a list. */
  private static @Nullable Iterable<?> items(Object sent) {
    if (sent instanceof List<?> list) {
      return list;
    }
    return sent instanceof Map<?, ?> map ? byIndex(map) : List.of(sent);
  }

  /**
   * Returns the elements of a map with indices as keys, in order, then those without an index; null
   * if a key is not an index.
   */
  private static @Nullable Iterable<?> byIndex(Map<?, ?> map) {
    TreeMap<Integer, Object> numbered = new TreeMap<>();
    List<Object> appended = new ArrayList<>();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String key = String.valueOf(entry.getKey());
      if (FormFields.appends(key)) {
        appended.add(entry.getValue());
      } else if (INDEX.matcher(key).matches()) {
        numbered.put(Integer.valueOf(key), entry.getValue());
      } else {
        return null;
      }
    }
    List<Object> items = new ArrayList<>(numbered.values());
    items.addAll(appended);
    return items;
  }
}

package dev.percolate.parsers;

import dev.percolate.core.JsonCodec;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Applies a reviver to a parsed value, innermost values first. Does not recurse, since clients
 * choose the nesting depth.
 */
final class Reviver {

  private final Object container;
  private final @Nullable Reviver outer;
  private final @Nullable Iterator<Map.Entry<String, @Nullable Object>> entries;
  private final @Nullable ListIterator<@Nullable Object> items;
  private Map.@Nullable Entry<String, @Nullable Object> entry;
  private String key = "";

  @SuppressWarnings("unchecked") // the codec creates only these types
  private Reviver(Object container, @Nullable Reviver outer) {
    this.container = container;
    this.outer = outer;
    this.entries =
        container instanceof Map<?, ?> map
            ? ((Map<String, @Nullable Object>) map).entrySet().iterator()
            : null;
    this.items =
        container instanceof List<?> list ? ((List<@Nullable Object>) list).listIterator() : null;
  }

  /**
   * Applies a reviver to a value and everything in it.
   *
   * @return the new value, or {@link JsonCodec#ABSENT}
   */
  static @Nullable Object of(@Nullable Object whole, JsonCodec.Replacer reviver) {
    Object revived = whole;
    Reviver open = begin(whole, null);
    if (open == null) {
      revived = reviver.replace("", whole);
    }
    while (open != null) {
      if (open.hasNext()) {
        Object value = open.next();
        Reviver inner = begin(value, open);
        if (inner == null) {
          open.set(reviver.replace(open.key, value));
        } else {
          open = inner;
        }
      } else {
        Reviver outer = open.outer;
        revived = reviver.replace(outer == null ? "" : outer.key, open.container);
        if (outer != null) {
          outer.set(revived);
        }
        open = outer;
      }
    }
    return revived;
  }

  /** Starts with a map or a list; returns null for other values. */
  private static @Nullable Reviver begin(@Nullable Object value, @Nullable Reviver outer) {
    if (value instanceof Map<?, ?> map) {
      return new Reviver(map, outer);
    }
    return value instanceof List<?> list ? new Reviver(list, outer) : null;
  }

  private boolean hasNext() {
    return entries == null ? items != null && items.hasNext() : entries.hasNext();
  }

  private @Nullable Object next() {
    if (entries != null) {
      entry = entries.next();
      key = entry.getKey();
      return entry.getValue();
    }
    key = Integer.toString(items().nextIndex());
    return items().next();
  }

  private void set(@Nullable Object value) {
    if (entries == null) {
      items().set(value == JsonCodec.ABSENT ? null : value);
    } else if (value == JsonCodec.ABSENT) {
      entries.remove();
    } else if (entry != null) {
      entry.setValue(value);
    }
  }

  private ListIterator<@Nullable Object> items() {
    return Objects.requireNonNull(items);
  }
}

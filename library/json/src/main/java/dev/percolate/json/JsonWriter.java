package dev.percolate.json;

import dev.percolate.core.JsonCodec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes a value like {@code JSON.stringify}. */
final class JsonWriter {

  /** The maximum depth. Only a replacer that wraps values endlessly reaches it. */
  private static final int DEPTH = 1_000_000;

  /** The maximum depth of indented text, whose length grows with the square of the depth. */
  private static final int INDENTED_DEPTH = 2000;

  private final JsonText out = new JsonText();
  private final TypedValues types;
  private final String indent;
  private final JsonCodec.@Nullable Replacer replacer;
  private final @Nullable Set<String> names;
  private @Nullable Open open;

  /** One of the open containers. If an inner container is the same, it contains itself. */
  private @Nullable Object anchor;

  private int anchorDepth;

  /** An open container. */
  private static final class Open {
    final Iterator<?> items;
    final boolean isMap;
    final @Nullable Open outer;
    final int depth;
    int index;
    boolean empty = true;

    Open(Iterator<?> items, boolean isMap, @Nullable Open outer) {
      this.items = items;
      this.isMap = isMap;
      this.outer = outer;
      this.depth = outer == null ? 1 : outer.depth + 1;
    }
  }

  JsonWriter(JsonCodec.WriteOptions style, TypedValues types) {
    this.types = types;
    indent = style.indent();
    replacer = style.replacer();
    List<String> list = style.names();
    names = list == null ? null : new LinkedHashSet<>(list);
  }

  /** Writes a value without recursion. The text is empty for {@link JsonCodec#ABSENT}. */
  JsonText write(@Nullable Object value) {
    Object replaced = replaced("", value);
    if (replaced != JsonCodec.ABSENT) {
      append(replaced);
    }
    for (Open inner = open; inner != null; inner = open) {
      advance(inner);
    }
    return out;
  }

  private @Nullable Object replaced(String key, @Nullable Object value) {
    return replacer == null ? value : replacer.replace(key, types.dated(value));
  }

  /** Writes the next entry or the end of a container. */
  private void advance(Open inner) {
    if (!inner.items.hasNext()) {
      open = inner.outer;
      if (inner.depth == anchorDepth) {
        anchor = null;
        anchorDepth = 0;
      }
      if (!inner.empty) {
        newLine(inner.depth - 1);
      }
      out.sign(inner.isMap ? '}' : ']');
      return;
    }
    Object item = inner.items.next();
    if (!inner.isMap) {
      separate(inner);
      append(replacer == null ? item : replaced(Integer.toString(inner.index++), item));
    } else if (item instanceof Map.Entry<?, ?> entry) {
      String name = String.valueOf(entry.getKey());
      Object replaced = replaced(name, entry.getValue());
      if (replaced != JsonCodec.ABSENT) {
        separate(inner);
        out.quoted(name);
        out.ascii(indent.isEmpty() ? ":" : ": ");
        append(replaced);
      }
    }
  }

  /** Writes a value; of a container only its beginning. */
  private void append(@Nullable Object value) {
    if (value == null || value == JsonCodec.ABSENT) {
      out.ascii("null");
    } else if (value instanceof CharSequence text) {
      out.quoted(text.toString());
    } else if (value instanceof Number number) {
      append(number);
    } else if (value instanceof Boolean truth) {
      out.ascii(truth ? "true" : "false");
    } else if (value instanceof Map<?, ?> map) {
      out.sign('{');
      enter(map, (names == null ? map : kept(map, names)).entrySet().iterator(), true);
    } else if (value instanceof Collection<?> list) {
      out.sign('[');
      enter(list, list.iterator(), false);
    } else {
      appendOther(value);
    }
  }

  private void append(Number number) {
    if (number instanceof Double value) {
      NumberText.append(out, value);
    } else if (number instanceof Float value) {
      NumberText.append(out, value);
    } else if (number instanceof Integer || number instanceof Long) {
      out.number(number.longValue());
    } else if (number instanceof Short || number instanceof Byte) {
      out.number(number.intValue());
    } else if (number instanceof BigInteger || number instanceof BigDecimal) {
      out.ascii(number.toString());
    } else {
      appendOther(number);
    }
  }

  private void appendOther(Object value) {
    if (replacer == null && names == null) {
      types.write(value, out, indent, open == null ? 0 : open.depth, DEPTH);
      return;
    }
    Object plain = types.plain(value);
    if (plain != null && plain.getClass() == value.getClass()) {
      throw new IllegalArgumentException("JSON: cannot write " + value.getClass().getName());
    }
    append(plain);
  }

  private static Map<String, @Nullable Object> kept(Map<?, ?> map, Set<String> names) {
    Map<String, @Nullable Object> all = new HashMap<>();
    map.forEach((name, value) -> all.put(String.valueOf(name), value));
    Map<String, @Nullable Object> kept = new LinkedHashMap<>();
    for (String name : names) {
      if (all.containsKey(name)) {
        kept.put(name, all.get(name));
      }
    }
    return kept;
  }

  /**
   * Begins a container. Compares it with one of the open containers: the deepest one at the last
   * doubling of the depth. So a container that contains itself is soon detected (Brent's
   * algorithm).
   */
  private void enter(Object container, Iterator<?> items, boolean isMap) {
    open = new Open(items, isMap, open);
    if (open.depth > INDENTED_DEPTH && !indent.isEmpty()) {
      throw new IllegalArgumentException(
          "JSON: indented text must have at most " + INDENTED_DEPTH + " levels");
    }
    if (container == anchor || open.depth > DEPTH) {
      throw new IllegalArgumentException(
          "JSON: the value contains itself, at level " + open.depth + " of the text");
    }
    if (open.depth >= 2 * anchorDepth) {
      anchor = container;
      anchorDepth = open.depth;
    }
  }

  private void separate(Open inner) {
    if (!inner.empty) {
      out.sign(',');
    }
    inner.empty = false;
    newLine(inner.depth);
  }

  private void newLine(int depth) {
    if (!indent.isEmpty()) {
      out.newLine(indent, depth);
    }
  }
}

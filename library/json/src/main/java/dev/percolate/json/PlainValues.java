package dev.percolate.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Creates maps, lists, strings, numbers, booleans and null from a tape. Does not recurse, since
 * clients choose how deep JSON nests.
 */
final class PlainValues {

  private final JsonTape tape;
  private final boolean exactNumbers;
  private int token;
  private @Nullable Open open;

  /** An incomplete container. Either the map or the list is null. */
  private record Open(
      @Nullable Map<String, @Nullable Object> map,
      @Nullable List<@Nullable Object> list,
      int close,
      @Nullable Open outer) {}

  private PlainValues(JsonTape tape, boolean exactNumbers) {
    this.tape = tape;
    this.exactNumbers = exactNumbers;
  }

  /**
   * Returns the whole value.
   *
   * @param exactNumbers whether numbers keep all their digits; the scanner has limited their length
   */
  static @Nullable Object of(JsonTape tape, boolean exactNumbers) {
    PlainValues values = new PlainValues(tape, exactNumbers);
    Object whole = values.next();
    for (Open inner = values.open; inner != null; inner = values.open) {
      values.fill(inner);
    }
    return whole;
  }

  /** Adds entries up to the first container, which becomes the open one. */
  private void fill(Open inner) {
    Map<String, @Nullable Object> map = inner.map;
    List<@Nullable Object> list = inner.list;
    while (token < inner.close) {
      if (map != null) {
        String name = tape.name(token);
        token += JsonTape.SIZE;
        map.put(name, next());
      } else if (list != null) {
        list.add(next());
      }
      if (open != inner) {
        return;
      }
    }
    token = inner.close + JsonTape.SIZE;
    open = inner.outer;
  }

  /** Returns the next value; of a container only its beginning. */
  private @Nullable Object next() {
    int current = token;
    token = current + JsonTape.SIZE;
    return switch (tape.first(current)) {
      case '{' -> {
        int close = tape.close(current);
        Map<String, @Nullable Object> map = new LinkedHashMap<>(capacity(tape.entries(close)));
        open = new Open(map, null, close, open);
        yield map;
      }
      case '[' -> {
        int close = tape.close(current);
        List<@Nullable Object> list = new ArrayList<>(tape.entries(close));
        open = new Open(null, list, close, open);
        yield list;
      }
      case '"' -> tape.string(current);
      case 't' -> true;
      case 'f' -> false;
      case 'n' -> null;
      default -> number(current);
    };
  }

  private @Nullable Number number(int current) {
    return exactNumbers
        ? NumberText.readExactly(tape.number(current), tape.isWhole(current))
        : tape.plainNumber(current);
  }

  /** Returns the capacity of a map that can hold this many entries without growing. */
  private static int capacity(int entries) {
    return (4 * entries + 2) / 3;
  }
}

package dev.percolate.logger;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Knows all tokens by name; lines in the making are not held up by a change. */
final class Fields {

  private static final Map<String, Fields.Named> KNOWN = new ConcurrentHashMap<>();

  static {
    reset();
  }

  private Fields() {}

  /** A name and the token that has it now: formats look up the name once, the token each time. */
  static final class Named {

    private final String name;
    private volatile @Nullable Field field;

    private Named(String name) {
      this.name = name;
    }

    String name() {
      return name;
    }

    /** Gives the token that all loggers share. */
    Field field() {
      Field now = field;
      if (now == null) {
        throw new IllegalArgumentException(":" + name + ": not a token");
      }
      return now;
    }
  }

  static Field find(String name) {
    Named known = KNOWN.get(name);
    return (known == null ? new Named(name) : known).field();
  }

  static Named named(String name) {
    return KNOWN.computeIfAbsent(name, Named::new);
  }

  static void define(String name, Field field) {
    named(name).field = field;
  }

  static void reset() {
    KNOWN.values().forEach(known -> known.field = null);
    StandardFields.all().forEach(Fields::define);
  }
}

package dev.percolate.logger;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Knows all tokens by name; lines in the making are not held up by a change. */
final class TokenRegistry {

  private static final Map<String, TokenRegistry.Named> KNOWN = new ConcurrentHashMap<>();

  static {
    reset();
  }

  private TokenRegistry() {}

  /** A name and the token that has it now: formats look up the name once, the token each time. */
  static final class Named {

    private final String name;
    private volatile @Nullable TokenWriter field;

    private Named(String name) {
      this.name = name;
    }

    String name() {
      return name;
    }

    /** Returns the token that all loggers share. */
    TokenWriter field() {
      TokenWriter now = field;
      if (now == null) {
        throw new IllegalArgumentException(":" + name + ": not a token");
      }
      return now;
    }
  }

  static TokenWriter find(String name) {
    Named known = KNOWN.get(name);
    return (known == null ? new Named(name) : known).field();
  }

  static Named named(String name) {
    return KNOWN.computeIfAbsent(name, Named::new);
  }

  static void define(String name, TokenWriter field) {
    named(name).field = field;
  }

  static void reset() {
    KNOWN.values().forEach(known -> known.field = null);
    StandardTokens.all().forEach(TokenRegistry::define);
  }
}

package dev.percolate.logger;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** All tokens by name. Changes do not block threads that write lines. */
final class TokenRegistry {

  private static final Map<String, TokenRegistry.Named> KNOWN = new ConcurrentHashMap<>();

  static {
    reset();
  }

  private TokenRegistry() {}

  /** A name and its current token. A format looks up the name once and the token for each line. */
  static final class Named {

    private final String name;
    private volatile @Nullable TokenWriter field;

    private Named(String name) {
      this.name = name;
    }

    String name() {
      return name;
    }

    /** Returns the shared token. */
    TokenWriter field() {
      TokenWriter now = field;
      if (now == null) {
        throw new IllegalArgumentException("unknown token :" + name);
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

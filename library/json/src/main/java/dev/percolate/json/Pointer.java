package dev.percolate.json;

import dev.percolate.http.LogText;

/** Formats JSON pointers (RFC 6901). */
final class Pointer {

  private static final int MOST_CHARACTERS = 64;

  private Pointer() {}

  /** Returns the pointer's part for a name. Long names, which clients choose, are truncated. */
  static String step(String name) {
    String beginning =
        name.length() > MOST_CHARACTERS ? name.substring(0, MOST_CHARACTERS) + "…" : name;
    return "/" + LogText.escape(beginning.replace("~", "~0").replace("/", "~1"));
  }
}

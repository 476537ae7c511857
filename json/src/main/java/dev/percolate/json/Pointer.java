package dev.percolate.json;

import dev.percolate.http.LogText;

/** Writes pointers to values in JSON (RFC 6901). */
final class Pointer {

  private static final int MOST_CHARACTERS = 64;

  private Pointer() {}

  /** Returns the step to a name, of a long one no more than its beginning: clients choose names. */
  static String step(String name) {
    String beginning =
        name.length() > MOST_CHARACTERS ? name.substring(0, MOST_CHARACTERS) + "…" : name;
    return "/" + LogText.escape(beginning.replace("~", "~0").replace("/", "~1"));
  }
}

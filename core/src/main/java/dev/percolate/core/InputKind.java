package dev.percolate.core;

/** The kinds of values that clients send. */
enum InputKind {
  PATH("path parameter", "the path", "name"),
  QUERY("query parameter", "the query", "name"),
  FORM("form field", "the form", "name"),
  JSON("JSON value", "the JSON value", "pointer");

  private final String one;
  private final String whole;
  private final String label;

  InputKind(String one, String whole, String label) {
    this.one = one;
    this.whole = whole;
    this.label = label;
  }

  /** Returns what messages call a value, or all of them where the name is empty. */
  String place(String name) {
    return name.isEmpty() ? whole : one + " \"" + name + "\"";
  }

  /** Returns what errors call the name: {@code name}, or {@code pointer} for that of RFC 6901. */
  String label() {
    return label;
  }
}

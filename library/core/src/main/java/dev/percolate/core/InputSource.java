package dev.percolate.core;

/** The kinds of input that clients send. */
public enum InputSource {
  /** A parameter of the path. */
  PATH("path parameter", "the path", "parameter"),
  /** A parameter of the query. */
  QUERY("query parameter", "the query", "parameter"),
  /** A header. */
  HEADER("header", "the headers", "parameter"),
  /** A cookie. */
  COOKIE("cookie", "the cookies", "parameter"),
  /** A field of a form, or a file. */
  FORM("form field", "the form", "parameter"),
  /** A value in a JSON body. */
  JSON("JSON value", "the body", "pointer");

  private final String one;
  private final String whole;
  private final String label;

  InputSource(String one, String whole, String label) {
    this.one = one;
    this.whole = whole;
    this.label = label;
  }

  /** Returns the text for a value in messages; for all values if the name is empty. */
  String place(String name) {
    return name.isEmpty() ? whole : one + " \"" + name + "\"";
  }

  /** Returns the key of the name in error entries. */
  String label() {
    return label;
  }
}

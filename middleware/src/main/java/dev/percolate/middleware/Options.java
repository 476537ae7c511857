package dev.percolate.middleware;

import dev.percolate.http.Headers;

/** Checks the values of options, and says by name and value what is wrong with them. */
final class Options {

  private Options() {}

  static String headerName(String option, String name) {
    try {
      new Headers().set(name, "");
    } catch (IllegalArgumentException e) {
      throw wrong(option, name, "not the name of a header");
    }
    return name;
  }

  /** Returns a text that may stand between the quotes of a header. */
  static String quotable(String option, String text) {
    boolean plain = text.chars().allMatch(c -> c >= ' ' && c != 0x7F);
    if (!plain || text.indexOf('"') >= 0 || text.indexOf('\\') >= 0) {
      throw wrong(option, text, "cannot stand between quotes in a header");
    }
    return text;
  }

  static String secret(String option, String secret) {
    if (secret.isEmpty()) {
      throw new IllegalArgumentException(option + "(\"\"): the secret is empty");
    }
    return secret;
  }

  static IllegalArgumentException wrong(String option, String value, String reason) {
    return new IllegalArgumentException(option + "(\"" + value + "\"): " + reason);
  }
}

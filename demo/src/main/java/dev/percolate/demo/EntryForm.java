package dev.percolate.demo;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds what somebody gave for an entry, and what is wrong with it.
 *
 * @param name the name, in one line
 * @param message the message
 * @param errors what is wrong, by field; empty if nothing is
 */
record EntryForm(String name, String message, Map<String, String> errors) {

  static final int LONGEST_NAME = 60;
  static final int LONGEST_MESSAGE = 1000;

  static final EntryForm EMPTY = new EntryForm("", "", Map.of());

  /** Creates an empty form of somebody whose name is known. */
  static EntryForm by(String name) {
    return new EntryForm(name, "", Map.of());
  }

  /**
   * Checks the fields {@code name} and {@code message}.
   *
   * @param fields a map of both; anything else has neither
   */
  static EntryForm of(@Nullable Object fields) {
    Map<?, ?> given = fields instanceof Map<?, ?> map ? map : Map.of();
    String name = text(given.get("name")).replace('\n', ' ').strip();
    String message = text(given.get("message")).strip();
    Map<String, String> errors = new LinkedHashMap<>();
    check(errors, "name", name, LONGEST_NAME, "Please tell us your name.");
    check(errors, "message", message, LONGEST_MESSAGE, "Please write a few words.");
    return new EntryForm(name, message, errors);
  }

  /** Returns a text with plain line ends, without control characters; empty if it is none. */
  private static String text(@Nullable Object value) {
    if (!(value instanceof String text)) {
      return "";
    }
    // Browsers count a line end as one character, but send two.
    String lines = text.replace("\r\n", "\n").replace('\r', '\n').replace('\t', ' ');
    StringBuilder kept = new StringBuilder(lines.length());
    lines
        .codePoints()
        .filter(c -> c == '\n' || !Character.isISOControl(c))
        .forEach(kept::appendCodePoint);
    return kept.toString();
  }

  private static void check(
      Map<String, String> errors, String field, String text, int longest, String missing) {
    if (text.isEmpty()) {
      errors.put(field, missing);
    } else if (text.length() > longest) {
      errors.put(
          field, "Please use " + longest + " characters at most; " + text.length() + " now.");
    }
  }
}

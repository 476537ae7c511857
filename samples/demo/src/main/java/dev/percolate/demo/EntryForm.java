package dev.percolate.demo;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The submitted form for an entry, with its errors.
 *
 * @param name the name, on one line
 * @param message the message
 * @param errors the error messages by field; empty if the form is valid
 */
record EntryForm(String name, String message, Map<String, String> errors) {

  static final int LONGEST_NAME = 60;
  static final int LONGEST_MESSAGE = 1000;

  static final EntryForm EMPTY = new EntryForm("", "", Map.of());

  /** Creates a form that contains only a name. */
  static EntryForm by(String name) {
    return new EntryForm(name, "", Map.of());
  }

  /**
   * The submitted fields.
   *
   * @param name the name; null if missing
   * @param message the message; null if missing
   */
  record Draft(@Nullable String name, @Nullable String message) {}

  /** Validates submitted fields. Null means that all fields are missing. */
  static EntryForm of(@Nullable Draft draft) {
    return draft == null ? of(null, null) : of(draft.name(), draft.message());
  }

  /** Validates a name and a message. */
  static EntryForm of(@Nullable String sentName, @Nullable String sentMessage) {
    String name = text(sentName).replace('\n', ' ').strip();
    String message = text(sentMessage).strip();
    Map<String, String> errors = new LinkedHashMap<>();
    check(errors, "name", name, LONGEST_NAME, "Please tell us your name.");
    check(errors, "message", message, LONGEST_MESSAGE, "Please write a few words.");
    return new EntryForm(name, message, errors);
  }

  /** Returns a text without control characters and with plain line breaks; empty for null. */
  private static String text(@Nullable String text) {
    if (text == null) {
      return "";
    }
    // Browsers count a line break as one character, but send two.
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
          field, "Please use at most " + longest + " characters, not " + text.length() + ".");
    }
  }
}

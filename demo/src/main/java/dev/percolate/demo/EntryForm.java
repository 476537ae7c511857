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
   * What was sent.
   *
   * @param name the name; null if it is absent
   * @param message the message; null if it is absent
   */
  record Draft(@Nullable String name, @Nullable String message) {}

  /** Checks what was sent; nothing at all has no fields. */
  static EntryForm of(@Nullable Draft draft) {
    return draft == null ? of(null, null) : of(draft.name(), draft.message());
  }

  /** Checks a name and a message. */
  static EntryForm of(@Nullable String sentName, @Nullable String sentMessage) {
    String name = text(sentName).replace('\n', ' ').strip();
    String message = text(sentMessage).strip();
    Map<String, String> errors = new LinkedHashMap<>();
    check(errors, "name", name, LONGEST_NAME, "Please tell us your name.");
    check(errors, "message", message, LONGEST_MESSAGE, "Please write a few words.");
    return new EntryForm(name, message, errors);
  }

  /** Returns a text with plain line ends, without control characters; empty if there is none. */
  private static String text(@Nullable String text) {
    if (text == null) {
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

package dev.percolate.testkit.replay;

import dev.percolate.http.Percent;
import org.jspecify.annotations.Nullable;

/**
 * Aligns a recorded text with the received one. Dates agree with dates, ids with ids, and masked
 * secrets with any text; ids and secrets are learned.
 *
 * @param recorded the index where the texts begin to differ, in the recorded text
 * @param received the index in the received text
 */
record TextMatch(int recorded, int received) {

  /** The number of characters shown before and after the place of a difference. */
  private static final int CONTEXT = 40;

  /** The number of characters after a secret by which its end is found. */
  private static final int NEXT = 16;

  /** Returns the place of the first difference; null if the texts agree. */
  static @Nullable TextMatch of(String recorded, String received, KnownValues known) {
    int at = 0;
    int came = 0;
    for (Generated value = Generated.in(recorded); value.find(); at = value.end()) {
      TextMatch wrong = literal(recorded, at, value.start(), received, came);
      if (wrong != null) {
        return wrong;
      }
      came += value.start() - at;
      int end =
          value.isSecret()
              ? secretEnd(recorded, value.end(), received, came)
              : value.endAt(received, came);
      String text = end < 0 ? "" : received.substring(came, end);
      if (end < 0 || !learn(value, value.isSecret() ? plain(recorded, value, text) : text, known)) {
        return new TextMatch(value.start(), came);
      }
      came = end;
    }
    TextMatch wrong = literal(recorded, at, recorded.length(), received, came);
    int rest = came + recorded.length() - at;
    return wrong != null || rest == received.length()
        ? wrong
        : new TextMatch(recorded.length(), rest);
  }

  private static boolean learn(Generated value, String received, KnownValues known) {
    if (value.isSecret()) {
      known.learnSecret(value.name(), received);
      return true;
    }
    return value.isDate() || known.learnId(value.text(), received);
  }

  /** Returns a received secret without the escapes of a URL, since marks are made of plain text. */
  private static String plain(String recorded, Generated secret, String received) {
    int start = secret.start();
    if (isInQuery(recorded, start)) {
      return Percent.decodeQuery(received);
    }
    boolean segment = start > 0 && recorded.charAt(start - 1) == '/';
    String decoded = segment ? Percent.decode(received) : null;
    return decoded == null ? received : decoded;
  }

  /** Returns true if the value of a parameter in the query of a URL begins at an index. */
  private static boolean isInQuery(String text, int index) {
    boolean value = index > 0 && text.charAt(index - 1) == '=';
    for (int i = index - 1; value && i >= 0 && " \t\r\n\"'<>".indexOf(text.charAt(i)) < 0; i--) {
      if (text.charAt(i) == '?') {
        return true;
      }
    }
    return false;
  }

  /** Returns the end of a secret: where the text after it continues; -1 if it is missing. */
  private static int secretEnd(String recorded, int after, String received, int came) {
    int stop = Math.min(recorded.length(), after + NEXT);
    int mark = recorded.indexOf("$SECRET{", after);
    String next = recorded.substring(after, mark >= 0 && mark < stop ? mark : stop);
    int end = next.isEmpty() ? received.length() : received.indexOf(next, came);
    for (int shorter = next.length() - 1; end < 0 && shorter > 0; shorter--) {
      end = received.indexOf(next.substring(0, shorter), came);
    }
    return end > came ? end : -1;
  }

  private static @Nullable TextMatch literal(
      String recorded, int from, int to, String received, int came) {
    for (int i = 0; i < to - from; i++) {
      if (came + i >= received.length() || recorded.charAt(from + i) != received.charAt(came + i)) {
        return new TextMatch(from + i, came + i);
      }
    }
    return null;
  }

  /** Returns the line and column of an index. */
  static String place(String text, int index) {
    int lines = (int) text.substring(0, index).chars().filter(c -> c == '\n').count();
    return "line " + (lines + 1) + ", column " + (index - text.lastIndexOf('\n', index - 1));
  }

  /** Returns the text around an index, on one line. */
  static String around(String text, int index) {
    int from = Math.max(0, index - CONTEXT);
    int to = Math.min(text.length(), index + CONTEXT);
    String shown = text.substring(from, to).replace("\\", "\\\\").replace("\n", "\\n");
    return (from > 0 ? "…" : "")
        + shown.replace("\r", "\\r").replace("\t", "\\t")
        + (to < text.length() ? "…" : "");
  }
}

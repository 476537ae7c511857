package dev.percolate.logger;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line in the combined format of Apache's httpd, parsed strictly by its grammar. Shares no code
 * with the logger.
 */
record CombinedLine(
    String address,
    String user,
    String date,
    String method,
    String target,
    String version,
    String status,
    String length,
    String referrer,
    String agent) {

  /** Quoted text: without control characters, and with quotes only after a backslash. */
  private static final String QUOTED =
      "\"((?:[^\"\\\\\\p{Cntrl}\\x80-\\x9f\u2028\u2029]|\\\\[\"\\\\bfnrt]|\\\\u[0-9a-f]{4})*+)\"";

  /** Unquoted text: without Unicode spaces and brackets. */
  private static final String BARE =
      "((?:[^\"\\\\\\[\\]\\s\\p{Cntrl}\\p{Z}]|\\\\[\"\\\\bfnrt]|\\\\u[0-9a-f]{4})++)";

  private static final Pattern HEAD =
      Pattern.compile(
          BARE
              + " - "
              + BARE
              + " \\[(\\d\\d/[A-Z][a-z]{2}/\\d{4}:\\d\\d:\\d\\d:\\d\\d [+-]\\d{4})\\] ");

  private static final Pattern TAIL =
      Pattern.compile(QUOTED + " (\\d{3}|-) (\\d+|-) " + QUOTED + " " + QUOTED);

  private static final Pattern REQUEST = Pattern.compile("(\\S+) ([^\\s\\p{Z}]+) HTTP/(\\d\\.\\d)");

  static CombinedLine read(String line) {
    int quote = openingQuote(line);
    Matcher head = HEAD.matcher(line.substring(0, quote));
    Matcher tail = TAIL.matcher(line.substring(quote));
    check(head.matches() && tail.matches(), line);
    Matcher request = REQUEST.matcher(tail.group(1));
    check(request.matches(), line);
    return new CombinedLine(
        head.group(1),
        unescaped(head.group(2)),
        head.group(3),
        request.group(1),
        unescaped(request.group(2)),
        request.group(3),
        tail.group(2),
        tail.group(3),
        unescaped(tail.group(4)),
        unescaped(tail.group(5)));
  }

  /** Finds the first quote without a backslash; a user has none. */
  private static int openingQuote(String line) {
    int at = 0;
    while (at < line.length() && line.charAt(at) != '"') {
      at += line.charAt(at) == '\\' ? 2 : 1;
    }
    check(at < line.length(), line);
    return at;
  }

  private static String unescaped(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\') {
        out.append(c);
        continue;
      }
      char kind = text.charAt(++i);
      if (kind == 'u') {
        out.append((char) Integer.parseInt(text.substring(i + 1, i + 5), 16));
        i += 4;
      } else {
        out.append("\"\\\b\f\n\r\t".charAt("\"\\bfnrt".indexOf(kind)));
      }
    }
    return out.toString();
  }

  private static void check(boolean valid, String line) {
    if (!valid) {
      throw new AssertionError("not a combined line: " + line);
    }
  }
}

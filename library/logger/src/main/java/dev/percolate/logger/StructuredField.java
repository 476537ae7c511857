package dev.percolate.logger;

import dev.percolate.http.LogText;
import dev.percolate.http.PlainText;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A field of a structured log line.
 *
 * @param name the name of the field
 * @param token returns its value
 * @param counts whether digits are written as a number
 */
record StructuredField(String name, FormatText.Part token, boolean counts) {

  /** The maximum number of digits that every JSON parser reads exactly. */
  private static final int EXACT_DIGITS = 15;

  private static final Pattern NAME = Pattern.compile("[\\w.@-]+");

  /** The tokens that are numbers, besides those of upgraded connections. */
  private static final Set<String> NUMBERS = Set.of("pid", "response-time", "status", "total-time");

  /** The kind of the appended value: none, a string for quotes, or a literal without quotes. */
  enum Kind {
    ABSENT,
    TEXT,
    LITERAL
  }

  /**
   * Creates a field named after its token, or after the header that it shows.
   *
   * @param date the name of a date field
   */
  static StructuredField of(String token, String date) {
    FormatText.Part part = part(token);
    String name = isHeader(part) ? header(part) : part.text.equals("date") ? date : part.text;
    return named(name.toLowerCase(Locale.ROOT).replace('-', '_'), token);
  }

  static StructuredField named(String name, String token) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "field name must have only letters, digits, _ . - and @, was \"" + name + "\"");
    }
    FormatText.Part part = part(token);
    boolean counts =
        isHeader(part)
            ? header(part).equalsIgnoreCase("content-length")
            : part.text.startsWith("ws-") || NUMBERS.contains(part.text);
    return new StructuredField(name, part, counts);
  }

  /** Appends the value, without quotes. */
  Kind append(Tokens tokens, StringBuilder out) {
    TokenWriter field = tokens.field(Objects.requireNonNull(token.token));
    if (field instanceof UserToken own) {
      return append(own.token().value(tokens.req, tokens.res, token.args), out);
    }
    int from = out.length();
    if (!field.append(tokens, out, token.args)) {
      return Kind.ABSENT;
    }
    return counts && isExact(out, from) && isNumber(out, from) ? Kind.LITERAL : Kind.TEXT;
  }

  private static Kind append(@Nullable Object value, StringBuilder out) {
    if (value == null || value.equals(Double.NaN) || value.equals(Float.NaN)) {
      return Kind.ABSENT;
    }
    int from = out.length();
    out.append(LogText.escape(PlainText.of(value)));
    boolean typed = value instanceof Boolean || (value instanceof Number && isNumber(out, from));
    return typed ? Kind.LITERAL : Kind.TEXT;
  }

  private static FormatText.Part part(String token) {
    FormatText.Part part = FormatText.token(token.equals("date") ? "date[iso]" : token);
    if (part == null || (part.args.length == 0 && isMessage(part.text))) {
      throw new IllegalArgumentException(
          "invalid token \"" + token + "\"; use one like method, date[clf] or req[x-request-id]");
    }
    return part;
  }

  private static boolean isHeader(FormatText.Part part) {
    return part.args.length > 0 && isMessage(part.text);
  }

  private static boolean isMessage(String token) {
    return token.equals("req") || token.equals("res");
  }

  private static String header(FormatText.Part part) {
    return String.valueOf(part.args[0]);
  }

  private static boolean isExact(StringBuilder out, int from) {
    int point = out.indexOf(".", from);
    return (point < 0 ? out.length() : point) - from <= EXACT_DIGITS;
  }

  /** Returns whether the rest of the line is a JSON number (RFC 8259 section 6). */
  private static boolean isNumber(StringBuilder out, int from) {
    int whole = from < out.length() && out.charAt(from) == '-' ? from + 1 : from;
    int end = endOfDigits(out, whole);
    boolean valid = end > whole && (end == whole + 1 || out.charAt(whole) != '0');
    if (end < out.length() && out.charAt(end) == '.') {
      int fraction = end + 1;
      end = endOfDigits(out, fraction);
      valid &= end > fraction;
    }
    if (end < out.length() && (out.charAt(end) | 0x20) == 'e') {
      int exponent = end + 1;
      if (exponent < out.length() && "+-".indexOf(out.charAt(exponent)) >= 0) {
        exponent++;
      }
      end = endOfDigits(out, exponent);
      valid &= end > exponent;
    }
    return valid && end == out.length();
  }

  private static int endOfDigits(StringBuilder out, int from) {
    int end = from;
    while (end < out.length() && out.charAt(end) >= '0' && out.charAt(end) <= '9') {
      end++;
    }
    return end;
  }
}

package dev.percolate.http;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rewrites the {@code Content-Type} of responses (RFC 9110 section 8.3). Rejects malformed values,
 * since they come from the application.
 */
public final class ContentType {

  /** The most common types with their charset. */
  private static final Map<String, String> UTF8 =
      Stream.of("text/plain", "text/html", "application/json")
          .collect(Collectors.toUnmodifiableMap(type -> type, type -> withCharset(type, "utf-8")));

  private ContentType() {}

  /**
   * Sets the charset of a content type to UTF-8; see {@link #withCharset}.
   *
   * @param value the content type, such as {@code text/html; version=1}
   * @return the content type
   * @throws IllegalArgumentException if the value is malformed
   */
  public static String withUtf8(String value) {
    String known = UTF8.get(value);
    return known == null ? withCharset(value, "utf-8") : known;
  }

  /**
   * Sets the charset of a content type.
   *
   * @param value the content type, such as {@code text/html; version=1}
   * @param charset the name of the charset
   * @return the content type in lower case, with its parameters sorted by name and quoted where
   *     necessary
   * @throws IllegalArgumentException if the value is malformed
   */
  public static String withCharset(String value, String charset) {
    int semicolon = value.indexOf(';');
    int end = semicolon < 0 ? value.length() : semicolon;
    String type = ListText.trim(value.substring(0, end)).toLowerCase(Locale.ROOT);
    int slash = type.indexOf('/');
    if (!HeaderText.isToken(type, 0, Math.max(slash, 0))
        || !HeaderText.isToken(type, slash + 1, type.length())) {
      throw wrong(value, "must begin with type/subtype");
    }
    if (semicolon < 0 && HeaderText.isToken(charset)) {
      return type + "; charset=" + charset; // the common case
    }
    Map<String, String> parameters = new ParameterReader(value, end).read();
    parameters.put("charset", charset);
    StringBuilder text = new StringBuilder(type);
    parameters.forEach((name, parameter) -> append(text, name, parameter));
    return text.toString();
  }

  /**
   * Returns true if a content type has a charset parameter, even an empty one.
   *
   * @param value the content type with its parameters
   */
  public static boolean hasCharset(String value) {
    return MediaType.parse(value).parameter("charset") != null;
  }

  private static IllegalArgumentException wrong(String value, String why) {
    return new IllegalArgumentException("content type \"" + LogText.escape(value) + "\" " + why);
  }

  private static void append(StringBuilder text, String name, String value) {
    text.append("; ").append(name).append('=');
    text.append(HeaderText.isToken(value) ? value : HeaderText.quoted(value));
  }

  /** Parses a sequence of {@code ; name=value}, which may be empty (RFC 9110 section 5.6.6). */
  private static final class ParameterReader extends TextScanner {
    private static final String BLANKS = " \t";

    ParameterReader(String text, int at) {
      super(text, at);
    }

    Map<String, String> read() {
      Map<String, String> parameters = new TreeMap<>();
      while (!isAtEnd()) {
        need(';');
        skipAll(BLANKS);
        if (isAtEnd() || isNext(';')) {
          continue; // an empty parameter
        }
        String name = token().toLowerCase(Locale.ROOT);
        skipAll(BLANKS);
        need('=');
        skipAll(BLANKS);
        parameters.put(name, isNext('"') ? quoted() : token());
        skipAll(BLANKS);
      }
      return parameters;
    }

    private String token() {
      String token = take(HeaderText::isTokenChar);
      if (token.isEmpty()) {
        throw malformed();
      }
      return token;
    }

    private String quoted() {
      need('"');
      StringBuilder value = new StringBuilder();
      while (!isAtEnd() && !isNext('"')) {
        boolean ignored = skip('\\');
        value.append(textChar());
      }
      need('"');
      return value.toString();
    }

    private char textChar() {
      char c = isAtEnd() ? 0 : text.charAt(at++);
      if ((c < ' ' && c != '\t') || c == 0x7F || c > 0xFF) {
        throw malformed();
      }
      return c;
    }

    private void need(char c) {
      if (!skip(c)) {
        throw malformed();
      }
    }

    private IllegalArgumentException malformed() {
      return wrong(text, "is malformed at index " + at);
    }
  }
}

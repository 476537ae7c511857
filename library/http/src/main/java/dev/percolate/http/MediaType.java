package dev.percolate.http;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A {@code Content-Type} as received (RFC 9110 section 8.3). Parsing is lenient: a malformed type
 * is not an error, but matches nothing.
 */
public final class MediaType {
  private static final int PART_LIMIT = 127;

  private final @Nullable String type;
  private final Map<String, String> parameters;

  private MediaType(@Nullable String type, Map<String, String> parameters) {
    this.type = type;
    this.parameters = parameters;
  }

  /**
   * Parses the value of a Content-Type header.
   *
   * @param header the value of the header; null if it is absent
   * @return the type and its parameters, either of which may be absent
   */
  public static MediaType parse(@Nullable String header) {
    if (header == null) {
      return new MediaType(null, Map.of());
    }
    int end = header.indexOf(';');
    String type =
        HeaderText.trim(header, 0, end < 0 ? header.length() : end).toLowerCase(Locale.ROOT);
    Map<String, String> parameters = end < 0 ? Map.of() : parameters(header, end + 1);
    return new MediaType(isWellFormed(type) ? type : null, parameters);
  }

  /**
   * Returns true if a {@code Content-Type}, without its parameters, contains a type. The comparison
   * is case-sensitive.
   *
   * @param header the value of the header; null if it is absent
   * @param type a part of the expected type, such as {@code text/x}; a file extension, such as
   *     {@code json}; or a type with a wildcard, such as {@code text/*}
   */
  public static boolean isLike(@Nullable String header, String type) {
    return isLike(header, type, MimeTypes.standard());
  }

  /**
   * Returns true if a {@code Content-Type} contains a type; see {@link #isLike(String, String)}.
   *
   * @param header the value of the header; null if it is absent
   * @param type the expected type
   * @param types the media types of extensions
   */
  public static boolean isLike(@Nullable String header, String type, MimeTypes types) {
    if (header == null || header.isEmpty()) {
      return false;
    }
    int semicolon = header.indexOf(';');
    String actual = semicolon < 0 ? header : header.substring(0, semicolon);
    String expected = type.indexOf('/') < 0 ? types.ofPath(type) : type;
    if (expected.indexOf('*') < 0) {
      return actual.contains(expected);
    }
    boolean anyType = part(expected, 0).equals("*");
    boolean anySubtype = part(expected, 1).equals("*");
    return (anyType && !anySubtype && part(expected, 1).equals(part(actual, 1)))
        || (anySubtype && !anyType && part(expected, 0).equals(part(actual, 0)));
  }

  /**
   * Returns the type and subtype in lower case, such as {@code text/html}; null if absent or
   * malformed.
   */
  public @Nullable String type() {
    return type;
  }

  /**
   * Returns a parameter, even if the type is malformed.
   *
   * @param name the name of the parameter in lower case
   * @return its first value, without quotes, possibly empty; null if the parameter is absent
   */
  public @Nullable String parameter(String name) {
    return parameters.get(name);
  }

  /**
   * Returns the part before the first slash (0), or between it and the second (1); empty if absent.
   */
  private static String part(String type, int index) {
    String[] parts = type.split("/", 3);
    return index < parts.length ? parts[index] : "";
  }

  private static Map<String, String> parameters(String header, int from) {
    Map<String, String> found = new LinkedHashMap<>();
    int start = from;
    while (start <= header.length()) {
      int equals = Ascii.firstOf("=;", header, start);
      if (equals == header.length() || header.charAt(equals) == ';') {
        start = equals + 1;
        continue;
      }
      String name = HeaderText.trim(header, start, equals).toLowerCase(Locale.ROOT);
      int value = equals + 1;
      while (value < header.length() && HeaderText.isBlank(header.charAt(value))) {
        value++;
      }
      StringBuilder quoted = new StringBuilder();
      boolean isQuoted = value < header.length() && header.charAt(value) == '"';
      int after = isQuoted ? readQuoted(header, value + 1, quoted) : value;
      int semicolon = after < 0 ? -1 : header.indexOf(';', after);
      int end = semicolon < 0 ? header.length() : semicolon;
      if (after >= 0) {
        found.putIfAbsent(name, isQuoted ? quoted.toString() : HeaderText.trim(header, value, end));
      }
      start = end + 1;
    }
    return found;
  }

  /** Returns the index after the closing quote; -1 if there is none. */
  private static int readQuoted(String header, int from, StringBuilder out) {
    for (int i = from; i < header.length(); i++) {
      char c = header.charAt(i);
      if (c == '"') {
        return i + 1;
      }
      if (c == '\\' && i + 1 < header.length()) {
        i++;
      }
      out.append(header.charAt(i));
    }
    return -1;
  }

  private static boolean isWellFormed(String type) {
    int slash = type.indexOf('/');
    return slash > 0
        && isPart(type, 0, slash, "!#$&^_-")
        && isPart(type, slash + 1, type.length(), "!#$&^_.+-");
  }

  private static boolean isPart(String type, int start, int end, String marks) {
    if (start >= end || end - start > PART_LIMIT) {
      return false;
    }
    for (int i = start; i < end; i++) {
      char c = type.charAt(i);
      if (!Ascii.isAlphanumeric(c) && (i == start || marks.indexOf(c) < 0)) {
        return false;
      }
    }
    return true;
  }
}

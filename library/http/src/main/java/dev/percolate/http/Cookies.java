package dev.percolate.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Parses Cookie headers and writes the values of Set-Cookie headers (RFC 6265). */
public final class Cookies {

  /** The maximum number of cookies; browsers keep at most 180 for a site. */
  private static final int MOST = 200;

  private Cookies() {}

  /**
   * Parses a {@code Cookie} header and decodes percent escapes in its values. Values with malformed
   * escapes are not decoded.
   *
   * @param header the value of the header, or null
   * @return a new map of names and values in header order. The first value of a name counts;
   *     cookies after the first 200 names are ignored
   */
  public static Map<String, String> parse(@Nullable String header) {
    return parse(header, Cookies::decode);
  }

  /**
   * Parses a {@code Cookie} header.
   *
   * @param header the value of the header, or null
   * @param decode decodes each value, without its quotes
   * @return a new map of names and values in header order. The first value of a name counts;
   *     cookies after the first 200 names are ignored
   */
  public static Map<String, String> parse(@Nullable String header, UnaryOperator<String> decode) {
    Map<String, String> cookies = new LinkedHashMap<>();
    forEach(
        header,
        (name, value) -> {
          if (cookies.size() < MOST && !cookies.containsKey(name)) {
            cookies.put(name, decode.apply(value));
          }
        });
    return cookies;
  }

  /**
   * Returns all values of a cookie. Browsers send several if cookies were set for overlapping hosts
   * or paths. Do not rely on their order (RFC 6265 section 4.2.2): use the one with a valid
   * signature.
   *
   * @param header the value of the {@code Cookie} header, or null
   * @param name the name of the cookie
   * @return at most 200 values in header order, decoded as by {@link #parse(String)}
   */
  public static List<String> all(@Nullable String header, String name) {
    List<String> values = new ArrayList<>(1);
    forEach(
        header,
        (sent, value) -> {
          if (values.size() < MOST && sent.equals(name)) {
            values.add(decode(value));
          }
        });
    return Collections.unmodifiableList(values);
  }

  /**
   * Parses a {@code Cookie} header, with all values of each name.
   *
   * @param header the value of the header, or null
   * @param decode decodes each value, without its quotes
   * @return a new map of names and values in header order; pairs after the first 200 are ignored
   */
  public static Map<String, List<String>> parseAll(
      @Nullable String header, UnaryOperator<String> decode) {
    Map<String, List<String>> cookies = new LinkedHashMap<>();
    int[] pairs = {0};
    forEach(
        header,
        (name, value) -> {
          if (pairs[0]++ < MOST) {
            cookies.computeIfAbsent(name, any -> new ArrayList<>(1)).add(decode.apply(value));
          }
        });
    return cookies;
  }

  /**
   * Writes the value of a {@code Set-Cookie} header. A domain outside ASCII is written as A-labels,
   * and a path is percent-encoded, since browsers compare these forms.
   *
   * @param name the name of the cookie, a token
   * @param value the value of the cookie, not yet encoded
   * @param options the attributes
   * @param now the current time, in milliseconds since 1970-01-01T00:00:00Z
   * @return the value of the header
   * @throws IllegalArgumentException if the name is not a token, or if a part has a semicolon, a
   *     control character, or a character outside ASCII
   */
  public static String serialise(String name, String value, CookieOptions options, long now) {
    if (!HeaderText.isToken(name)) {
      throw new IllegalArgumentException(
          "cookie name must be a token, was \"" + LogText.escape(name) + "\"");
    }
    StringBuilder line = new StringBuilder(name).append('=');
    line.append(checked(name, "value", options.encode(value)));
    options.appendTo(line, now, (attribute, text) -> checked(name, attribute, text));
    return line.toString();
  }

  /**
   * Returns true if clients send a cookie with a request, as far as its path is concerned (RFC 6265
   * section 5.1.4).
   *
   * @param path the path of the cookie, compared as {@link #serialise} writes it
   * @param requested the path of the request
   */
  public static boolean pathMatches(String path, String requested) {
    String sent = Percent.encodePath(path);
    return requested.startsWith(sent)
        && (sent.endsWith("/")
            || requested.length() == sent.length()
            || requested.charAt(sent.length()) == '/');
  }

  /** Passes on each pair of a Cookie header, its value without quotes and not decoded. */
  private static void forEach(@Nullable String header, BiConsumer<String, String> pair) {
    if (header == null) {
      return;
    }
    for (String piece : ListText.split(header, ';')) {
      int equals = piece.indexOf('=');
      if (equals >= 0) {
        // Browsers keep other white space, such as U+00A0 before the prefix "__Host-".
        String name = HeaderText.trim(piece, 0, equals);
        pair.accept(name, unquoted(HeaderText.trim(piece, equals + 1, piece.length())));
      }
    }
  }

  private static String decode(String value) {
    String decoded = Percent.decode(value);
    return decoded == null ? value : decoded;
  }

  private static String unquoted(String value) {
    boolean quoted = value.startsWith("\"");
    return quoted ? value.substring(1, Math.max(1, value.length() - 1)) : value;
  }

  private static String checked(String name, String part, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == ';' || c >= 0x7F) {
        throw new IllegalArgumentException(
            "cookie \""
                + name
                + "\": the "
                + part
                + " must not contain U+"
                + String.format("%04X", (int) c));
      }
    }
    return text;
  }
}

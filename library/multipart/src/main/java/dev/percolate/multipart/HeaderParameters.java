package dev.percolate.multipart;

import dev.percolate.http.Utf8;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a part's header, in all forms that clients use for non-ASCII names:
 *
 * <pre>
 *   filename="ü.txt"                          as is (RFC 7578 section 5.1)
 *   filename="%22.txt"                        three characters escaped by browsers (WHATWG)
 *   filename*=UTF-8''%C3%BC.txt               the extended form (RFC 8187)
 *   filename*0*=UTF-8''%C3; filename*1="..."  the same in sections (RFC 2231)
 *   filename="=?UTF-8?B?w7wudHh0?="           encoded words (RFC 2047)
 * </pre>
 *
 * <p>An extended form has precedence over a plain one, as in RFC 6266 section 4.3. RFC 7578 forbids
 * the last three forms, but .NET, Python and mail libraries send them. Parsing never fails: text
 * that cannot be decoded is kept. The first of several parameters with the same name applies.
 *
 * @param values the values as sent, by name in lowercase
 */
record HeaderParameters(Map<String, String> values) {

  private static final Pattern ESCAPED = Pattern.compile("\\\\([\\\\\"])");

  /** Parses the parameters of a header, from a position after its first semicolon. */
  static HeaderParameters parse(String header, int from) {
    Map<String, String> values = new HashMap<>();
    int at = from;
    while (at < header.length()) {
      int end = end(header, at);
      String parameter = header.substring(at, end);
      int equals = parameter.indexOf('=');
      if (equals >= 0) {
        String name = parameter.substring(0, equals).strip().toLowerCase(Locale.ROOT);
        values.putIfAbsent(name, unquoted(parameter.substring(equals + 1).strip()));
      }
      at = end + 1;
    }
    return new HeaderParameters(values);
  }

  /**
   * Returns a decoded parameter.
   *
   * @param name the name in lowercase, without an asterisk
   * @return null if it is absent
   */
  @Nullable String get(String name) {
    String extended = values.get(name + "*");
    if (extended != null) {
      return ExtendedText.of(extended).text();
    }
    String sections = sections(name);
    if (sections != null) {
      return sections;
    }
    String plain = values.get(name);
    if (plain == null) {
      return null;
    }
    String words = EncodedWords.decode(plain);
    return words == null
        ? plain.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n")
        : words;
  }

  /** Joins the sections of a parameter; null if it has none. */
  private @Nullable String sections(String name) {
    String begin = values.get(name + "*0*");
    ExtendedText first = ExtendedText.of(begin == null ? "" : begin);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(ExtendedText.unescaped(first.value()));
    for (int i = begin == null ? 0 : 1; ; i++) {
      String plain = values.get(name + "*" + i);
      String extended = values.get(name + "*" + i + "*");
      if (extended != null) {
        bytes.writeBytes(ExtendedText.unescaped(extended));
      } else if (plain != null) {
        bytes.writeBytes(Utf8.bytes(plain));
      } else {
        return i == 0 ? null : first.decode(bytes.toByteArray());
      }
    }
  }

  /** Finds the semicolon after a parameter, outside quotes. */
  private static int end(String header, int from) {
    boolean quoted = false;
    boolean escaped = false;
    for (int i = from; i < header.length(); i++) {
      char c = header.charAt(i);
      if (c == '"' && !escaped) {
        quoted = !quoted;
      } else if (c == ';' && !quoted) {
        return i;
      }
      escaped = quoted && c == '\\' && !escaped;
    }
    return header.length();
  }

  /**
   * Removes quotes. A backslash escapes only a quote or a backslash, since some clients send
   * Windows paths.
   */
  private static String unquoted(String text) {
    boolean quoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
    return quoted ? ESCAPED.matcher(text.substring(1, text.length() - 1)).replaceAll("$1") : text;
  }
}

package dev.percolate.multipart;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Holds what the header Content-Disposition of a part says (RFC 7578 section 4.2).
 *
 * @param name the name of the field; null if there is none
 * @param fileName the name of the file as sent; null if the part is no file
 */
record Disposition(@Nullable String name, @Nullable String fileName) {

  private static final String TYPE = "form-data";

  /** Reads a header; one of another type has no names. The first of equal parameters counts. */
  static Disposition parse(String header) {
    int semicolon = header.indexOf(';');
    String type = semicolon < 0 ? header : header.substring(0, semicolon);
    if (semicolon < 0 || !type.strip().toLowerCase(Locale.ROOT).equals(TYPE)) {
      return new Disposition(null, null);
    }
    String name = null;
    String fileName = null;
    int at = semicolon + 1;
    while (at < header.length()) {
      int end = end(header, at);
      int equals = header.indexOf('=', at);
      if (equals >= 0 && equals < end) {
        String key = header.substring(at, equals).strip().toLowerCase(Locale.ROOT);
        String value = value(header.substring(equals + 1, end).strip());
        name = key.equals("name") && name == null ? value : name;
        fileName = key.equals("filename") && fileName == null ? value : fileName;
      }
      at = end + 1;
    }
    return new Disposition(name, fileName);
  }

  /** Finds the semicolon behind a parameter, outside quotes. */
  private static int end(String header, int from) {
    boolean quoted = false;
    for (int i = from; i < header.length(); i++) {
      char c = header.charAt(i);
      if (c == '"' && !(quoted && header.charAt(i - 1) == '\\')) {
        quoted = !quoted;
      } else if (c == ';' && !quoted) {
        return i;
      }
    }
    return header.length();
  }

  /**
   * Reads a value, in quotes or not. Browsers escape three characters by percent signs, other
   * clients a quote by a backslash; some send paths, in which a backslash is no escape.
   */
  private static String value(String text) {
    boolean quoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
    String value = quoted ? text.substring(1, text.length() - 1).replace("\\\"", "\"") : text;
    return value.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n");
  }

  /** Returns the last part of the file's name, whatever system it is of; null if it has none. */
  @Nullable String baseName() {
    if (fileName == null) {
      return null;
    }
    int slash = Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\'));
    StringBuilder base = new StringBuilder();
    fileName
        .substring(slash + 1)
        .codePoints()
        .filter(c -> !Character.isISOControl(c) && Character.getType(c) != Character.FORMAT)
        .filter(c -> Character.getType(c) != Character.SURROGATE)
        .forEach(base::appendCodePoint);
    String name = base.toString().strip();
    return name.isEmpty() || name.equals(".") || name.equals("..") ? null : name;
  }
}

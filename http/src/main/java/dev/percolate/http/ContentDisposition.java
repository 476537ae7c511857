package dev.percolate.http;

/** Writes the values of Content-Disposition headers (RFC 6266). */
public final class ContentDisposition {
  private ContentDisposition() {}

  /**
   * Writes what makes a client keep the body as a file.
   *
   * @param filename the file's name, or a path of which the last part counts; any text
   * @return the header's value, in Latin-1; names beyond it are also there in UTF-8 (RFC 8187)
   */
  public static String attachment(String filename) {
    String name = lastPart(filename);
    StringBuilder fallback = new StringBuilder(name.length());
    StringBuilder quoted = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = isLatin1(name.charAt(i)) ? name.charAt(i) : '?';
      fallback.append(c);
      if (c == '\\' || c == '"') {
        quoted.append('\\');
      }
      quoted.append(c);
    }
    String value = "attachment; filename=\"" + quoted + '"';
    boolean same = name.contentEquals(fallback) && !hasEscape(name);
    return same ? value : value + "; filename*=UTF-8''" + extended(name);
  }

  private static String lastPart(String path) {
    int end = path.length();
    while (end > 0 && path.charAt(end - 1) == '/') {
      end--;
    }
    return path.substring(path.lastIndexOf('/', end - 1) + 1, end);
  }

  private static boolean isLatin1(char c) {
    return (c >= ' ' && c <= '~') || (c >= 0xA0 && c <= 0xFF);
  }

  /** Tells whether a client might decode the plain form although it must not. */
  private static boolean hasEscape(String name) {
    for (int i = name.indexOf('%'); i >= 0 && i + 2 < name.length(); i = name.indexOf('%', i + 1)) {
      if (isHex(name.charAt(i + 1)) && isHex(name.charAt(i + 2))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isHex(char c) {
    return c < 0x80 && Character.digit(c, 16) >= 0;
  }

  /** Escapes also what RFC 8187 reserves and URIs do not. */
  private static String extended(String name) {
    return Percent.encodeComponent(name)
        .replace("*", "%2A")
        .replace("'", "%27")
        .replace("(", "%28")
        .replace(")", "%29");
  }
}

package dev.percolate.http;

/** Writes the header Content-Disposition of downloads (RFC 6266). */
public final class ContentDisposition {
  private ContentDisposition() {}

  /**
   * Returns a value that has clients save the response under a name.
   *
   * @param path the name, or a path that ends with it
   * @return the value: {@code filename} in ASCII, where {@code ?} replaces each other character,
   *     and, if that is not the name or would be decoded, {@code filename*} in UTF-8 (RFC 8187); an
   *     empty name in UTF-8 alone
   */
  public static String attachment(String path) {
    return attachment(path, '~');
  }

  /** Returns a value whose {@code filename} is ISO-8859-1. */
  static String latin1Attachment(String path) {
    return attachment(path, '\u00ff');
  }

  private static String attachment(String path, char last) {
    String name = lastPart(path);
    if (name.isEmpty()) {
      return "attachment; filename*=UTF-8''";
    }
    String fallback = fallback(name, last);
    String value = "attachment; filename=" + HeaderText.quoted(fallback);
    if (fallback.equals(name) && !looksEncoded(name)) {
      return value;
    }
    return value + "; filename*=UTF-8''" + Percent.encodeExtended(name);
  }

  /**
   * Returns the extension of the name that {@link #attachment} makes of a path.
   *
   * @param path the name, or a path whose last part it is
   * @return the extension with its dot; a dot alone for a name without one, hidden files included
   */
  public static String extension(String path) {
    String name = lastPart(path);
    int dot = name.lastIndexOf('.');
    return dot <= 0 ? "." : name.substring(dot);
  }

  private static String lastPart(String path) {
    int end = path.length();
    while (end > 0 && path.charAt(end - 1) == '/') {
      end--;
    }
    return path.substring(path.lastIndexOf('/', end - 1) + 1, end);
  }

  private static String fallback(String name, char last) {
    StringBuilder out = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean kept = (c >= ' ' && c <= '~') || (c >= 0xA0 && c <= last);
      out.append(kept ? c : '?');
    }
    return out.toString();
  }

  /** Tells whether some clients would decode the plain form of a name. */
  private static boolean looksEncoded(String name) {
    for (int i = name.indexOf('%'); i >= 0; i = name.indexOf('%', i + 1)) {
      if (Percent.isEscape(name, i)) {
        return true;
      }
    }
    return false;
  }
}

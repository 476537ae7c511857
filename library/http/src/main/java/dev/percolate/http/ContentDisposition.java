package dev.percolate.http;

/** Writes the {@code Content-Disposition} header of downloads (RFC 6266). */
public final class ContentDisposition {
  private ContentDisposition() {}

  /**
   * Returns the header value that makes clients save the response under a file name. The value has
   * a {@code filename} in ASCII, in which {@code ?} replaces other characters. If that differs from
   * the name, or contains percent escapes, the value also has a {@code filename*} in UTF-8 (RFC
   * 8187). An empty name is written as {@code filename*} only.
   *
   * @param path the file name, or a path that ends with it
   */
  public static String attachment(String path) {
    return attachment(path, '~');
  }

  /** Returns the header value with a {@code filename} in ISO-8859-1. */
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
   * Returns the extension of the file name that {@link #attachment} uses.
   *
   * @param path the file name, or a path that ends with it
   * @return the extension with its dot; only a dot if there is no extension, as in hidden files
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

  /** Returns true if a name contains percent escapes, which some clients decode. */
  private static boolean looksEncoded(String name) {
    for (int i = name.indexOf('%'); i >= 0; i = name.indexOf('%', i + 1)) {
      if (Percent.isEscape(name, i)) {
        return true;
      }
    }
    return false;
  }
}

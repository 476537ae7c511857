package dev.percolate.multipart;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The names in the Content-Disposition header of a part (RFC 7578 section 4.2).
 *
 * @param name the field name; null if absent
 * @param fileName the file name as sent; null if absent
 */
record Disposition(@Nullable String name, @Nullable String fileName) {

  private static final String TYPE = "form-data";

  /** Parses a header. Headers of other types have no names. */
  static Disposition parse(String header) {
    int semicolon = header.indexOf(';');
    String type = semicolon < 0 ? header : header.substring(0, semicolon);
    if (semicolon < 0 || !type.strip().toLowerCase(Locale.ROOT).equals(TYPE)) {
      return new Disposition(null, null);
    }
    HeaderParameters parameters = HeaderParameters.parse(header, semicolon + 1);
    return new Disposition(parameters.get("name"), parameters.get("filename"));
  }

  /** Returns the last segment of the file name, with either path separator; null if it is empty. */
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

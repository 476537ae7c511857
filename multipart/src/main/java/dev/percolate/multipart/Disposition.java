package dev.percolate.multipart;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Holds the names in the header Content-Disposition of a part (RFC 7578 section 4.2).
 *
 * @param name the name of the field; null if there is none
 * @param fileName the name of the file as sent; null if there is none
 */
record Disposition(@Nullable String name, @Nullable String fileName) {

  private static final String TYPE = "form-data";

  /** Reads a header; a header of another type has no names. */
  static Disposition parse(String header) {
    int semicolon = header.indexOf(';');
    String type = semicolon < 0 ? header : header.substring(0, semicolon);
    if (semicolon < 0 || !type.strip().toLowerCase(Locale.ROOT).equals(TYPE)) {
      return new Disposition(null, null);
    }
    HeaderParameters parameters = HeaderParameters.parse(header, semicolon + 1);
    return new Disposition(parameters.get("name"), parameters.get("filename"));
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

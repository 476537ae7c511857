package dev.percolate.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Matches the {@code Content-Type} of requests against the types that a body parser accepts.
 *
 * <p>An expected type has one of these forms, and is case-sensitive:
 *
 * <ul>
 *   <li>{@code type/subtype}, where either part may be {@code *}, and {@code *+suffix} matches any
 *       subtype with this suffix;
 *   <li>{@code +suffix}, short for {@code *}{@code /*+suffix};
 *   <li>{@code urlencoded} and {@code multipart};
 *   <li>a file extension, such as {@code json}; an unknown extension matches nothing.
 * </ul>
 *
 * <p>Immutable.
 */
public final class TypeMatcher {
  private final boolean any;
  private final List<Expected> expected;

  private TypeMatcher(boolean any, List<Expected> expected) {
    this.any = any;
    this.expected = expected;
  }

  /**
   * Creates a matcher.
   *
   * @param types the expected types; if there are none, every well-formed type matches
   */
  public static TypeMatcher of(List<String> types) {
    return of(types, MimeTypes.standard());
  }

  /** Creates a matcher with the media types of an application. */
  static TypeMatcher of(List<String> types, MimeTypes known) {
    List<Expected> expected = new ArrayList<>();
    for (String type : types) {
      String full = expand(type, known);
      int slash = full == null ? -1 : full.indexOf('/');
      if (full != null && slash >= 0 && full.indexOf('/', slash + 1) < 0) {
        expected.add(new Expected(full.substring(0, slash), full.substring(slash + 1)));
      }
    }
    return new TypeMatcher(types.isEmpty(), List.copyOf(expected));
  }

  /**
   * Creates a matcher.
   *
   * @param types the expected types; if there are none, every well-formed type matches
   */
  public static TypeMatcher of(String... types) {
    return of(List.of(types));
  }

  /** Returns true if another matcher has the same types. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TypeMatcher that && any == that.any && expected.equals(that.expected);
  }

  @Override
  public int hashCode() {
    return expected.hashCode();
  }

  /**
   * Returns true if a {@code Content-Type} is one of the expected types. A malformed or absent type
   * never matches.
   *
   * @param contentType the parsed header
   */
  public boolean matches(MediaType contentType) {
    String actual = contentType.type();
    if (actual == null || any) {
      return actual != null;
    }
    int slash = actual.indexOf('/');
    for (Expected type : expected) {
      if (type.matches(actual, slash)) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable String expand(String type, MimeTypes known) {
    if (type.equals("urlencoded")) {
      return "application/x-www-form-urlencoded";
    }
    if (type.equals("multipart")) {
      return "multipart/*";
    }
    if (type.startsWith("+")) {
      return "*/*" + type;
    }
    return type.indexOf('/') >= 0 ? type : known.ofExtension(type);
  }

  private record Expected(String type, String subtype) {
    boolean matches(String actual, int slash) {
      if (!type.equals("*") && !(type.length() == slash && actual.startsWith(type))) {
        return false;
      }
      if (subtype.startsWith("*+")) {
        int suffix = subtype.length() - 1;
        return actual.length() - slash - 1 >= suffix
            && actual.regionMatches(actual.length() - suffix, subtype, 1, suffix);
      }
      return subtype.equals("*") || actual.substring(slash + 1).equals(subtype);
    }
  }
}

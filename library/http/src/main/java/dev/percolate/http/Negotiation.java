package dev.percolate.http;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The rules for comparing types, charsets, languages and codings; the setting {@code content
 * negotiation}.
 */
public enum Negotiation {

  /** The rules of RFC 9110 sections 8.3 and 12.5, and of RFC 4647; see {@link Accept}. */
  STANDARD,

  /**
   * The rules of Express 3. Everything is case-sensitive, and the best entry that matches any offer
   * wins. Wildcards match offers that {@code q=0} excludes, languages have no ranges, an encoding
   * must be listed without a weight, and a part of a content type matches.
   */
  EXPRESS;

  /**
   * Returns the rules for a value of the setting.
   *
   * @param setting {@code standard} (or null) or {@code express}
   * @return the rules
   * @throws IllegalArgumentException for any other value
   */
  public static Negotiation of(@Nullable Object setting) {
    return SettingValue.of("content negotiation", setting, values());
  }

  /**
   * Returns the entries of a list with weights, highest first; see {@link Accept#parse}.
   *
   * @param header the value of the header, or null
   */
  public List<Accept.Entry> entries(@Nullable String header) {
    return this == STANDARD ? Accept.parse(header) : ExpressAccept.parse(header);
  }

  /**
   * Returns the content type that a client prefers; see {@link Accept#best(String, List,
   * MimeTypes)}.
   *
   * @param accept the value of the Accept header, or null
   * @param offers file extensions and content types, in order of the server's preference
   * @param types the media types of extensions
   * @return the offer as given; null if none is acceptable
   */
  public @Nullable String best(@Nullable String accept, List<String> offers, MimeTypes types) {
    return this == STANDARD
        ? Accept.best(accept, offers, types)
        : ExpressAccept.best(accept, offers, types);
  }

  /**
   * Returns the content type that a client prefers.
   *
   * @param accept the value of the Accept header, or null
   * @param offers file extensions and content types, separated by commas
   * @param types the media types of extensions
   * @return the offer as given; null if none is acceptable
   */
  public @Nullable String best(@Nullable String accept, String offers, MimeTypes types) {
    return best(accept, ListText.split(offers, ','), types);
  }

  /**
   * Returns whether a client accepts a charset; see {@link Accept#allowsCharset}.
   *
   * @param header the value of Accept-Charset, or null
   * @param charset the charset
   */
  public boolean allowsCharset(@Nullable String header, String charset) {
    return this == STANDARD
        ? Accept.allowsCharset(header, charset)
        : ExpressAccept.allows(header, charset);
  }

  /**
   * Returns whether a client accepts a language; see {@link Accept#allowsLanguage}.
   *
   * @param header the value of Accept-Language, or null
   * @param tag the language
   */
  public boolean allowsLanguage(@Nullable String header, String tag) {
    return this == STANDARD
        ? Accept.allowsLanguage(header, tag)
        : ExpressAccept.allows(header, tag);
  }

  /**
   * Returns whether a client accepts a content coding; see {@link Accept#allowsEncoding}.
   *
   * @param header the value of Accept-Encoding, or null
   * @param coding the coding
   */
  public boolean allowsEncoding(@Nullable String header, String coding) {
    return this == STANDARD
        ? Accept.allowsEncoding(header, coding)
        : ExpressAccept.allowsEncoding(header, coding);
  }

  /**
   * Returns true if a request has a content type. {@link #STANDARD} compares whole types, in any
   * letter case, and accepts the forms of {@link TypeMatcher}. {@link #EXPRESS} looks for a part of
   * the type; see {@link MediaType#isLike}.
   *
   * @param header the value of Content-Type, or null
   * @param type the expected type
   * @param types the media types of extensions
   */
  public boolean isLike(@Nullable String header, String type, MimeTypes types) {
    if (this == EXPRESS) {
      return MediaType.isLike(header, type, types);
    }
    List<String> expected = List.of(type.toLowerCase(Locale.ROOT));
    return TypeMatcher.of(expected, types).matches(MediaType.parse(header));
  }
}

package dev.percolate.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The user name and password of Basic authentication (RFC 7617).
 *
 * @param username the user name, possibly empty
 * @param password the password, possibly empty
 */
public record BasicCredentials(String username, String password) {
  private static final String SCHEME = "basic";

  /** The characters that are not digits of Base64. */
  private static final Pattern OTHERS = Pattern.compile("[^A-Za-z0-9+/]");

  /**
   * Reads the value of an Authorization header.
   *
   * @param authorization the header's value, or null
   * @return the credentials; null if the header has no well-formed Basic credentials
   */
  public static @Nullable BasicCredentials parse(@Nullable String authorization) {
    String pair = decodedPair(authorization);
    int colon = pair == null ? -1 : pair.indexOf(':');
    if (pair == null || colon < 0 || hasBreak(pair, 0)) {
      return null;
    }
    return new BasicCredentials(pair.substring(0, colon), pair.substring(colon + 1));
  }

  /**
   * Returns the user name for the access log. Unlike {@link #parse}, accepts a name with line
   * breaks.
   *
   * @param authorization the header's value, or null
   * @return the name; null if it is absent or empty
   */
  public static @Nullable String loggedUser(@Nullable String authorization) {
    String pair = decodedPair(authorization);
    int colon = pair == null ? -1 : pair.indexOf(':');
    return pair == null || colon < 1 || hasBreak(pair, colon) ? null : pair.substring(0, colon);
  }

  /**
   * Reads the value of an Authorization header strictly, for access checks. It must consist of the
   * scheme {@code Basic} in any letter case, spaces (RFC 9110 sections 11.1 and 11.4) and one
   * token. The decoded token must contain a colon and may contain any other characters.
   *
   * @param authorization the header's value
   * @return the credentials; null if the header has another form
   */
  public static @Nullable BasicCredentials parseExactly(String authorization) {
    int token = skip(authorization, SCHEME.length(), ' ');
    if (!hasScheme(authorization, 0) || token == SCHEME.length()) {
      return null;
    }
    int blank = authorization.indexOf(' ', token);
    int end = blank < 0 ? authorization.length() : blank;
    if (skip(authorization, end, ' ') != authorization.length()) {
      return null;
    }
    String pair = decode(authorization, token, end);
    int colon = pair.indexOf(':');
    return colon < 0
        ? null
        : new BasicCredentials(pair.substring(0, colon), pair.substring(colon + 1));
  }

  /** Returns a description without the password, which must not reach a log. */
  @Override
  public String toString() {
    return "BasicCredentials[" + LogText.escape(username) + "]";
  }

  /** Returns the decoded token; null if the scheme or the token is invalid. */
  private static @Nullable String decodedPair(@Nullable String header) {
    if (header == null) {
      return null;
    }
    int scheme = skip(header, 0, ' ');
    int blank = scheme + SCHEME.length();
    int token = skip(header, blank, ' ');
    if (!hasScheme(header, scheme) || token <= blank) {
      return null;
    }
    int end = token;
    while (end < header.length() && isTokenChar(header.charAt(end))) {
      end++;
    }
    int rest = skip(header, skip(header, end, '='), ' ');
    return end == token || rest != header.length() ? null : decode(header, token, end);
  }

  private static boolean hasScheme(String header, int from) {
    int end = from + SCHEME.length();
    return header.length() >= end && HeaderText.sameName(SCHEME, header.substring(from, end));
  }

  private static int skip(String text, int from, char c) {
    int i = from;
    while (i < text.length() && text.charAt(i) == c) {
      i++;
    }
    return i;
  }

  private static boolean isTokenChar(char c) {
    return Ascii.isAlphanumeric(c) || "+/-_.~".indexOf(c) >= 0;
  }

  /** Decodes Base64 in both alphabets and skips other characters, unlike java.util.Base64. */
  private static String decode(String text, int start, int end) {
    String base64 = text.substring(start, end).replace('-', '+').replace('_', '/');
    String digits = OTHERS.matcher(base64).replaceAll("");
    boolean incomplete = digits.length() % 4 == 1; // one digit is not a byte
    byte[] bytes =
        Base64.getDecoder().decode(digits.substring(0, digits.length() - (incomplete ? 1 : 0)));
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Returns true if a text has a line break or a NUL, at which some programs would cut it off. */
  private static boolean hasBreak(String text, int from) {
    return text.chars()
        .skip(from)
        .anyMatch(c -> c == '\0' || c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029);
  }
}

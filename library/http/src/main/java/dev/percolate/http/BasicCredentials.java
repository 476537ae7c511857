package dev.percolate.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The user name and password of Basic authentication (RFC 7617).
 *
 * @param username the user name, possibly empty
 * @param password the password, possibly empty
 */
public record BasicCredentials(String username, String password) {
  private static final Pattern FORM =
      Pattern.compile(" *+basic ++([A-Za-z0-9+/_.~-]++)=*+ *+", Pattern.CASE_INSENSITIVE);

  private static final Pattern EXACT_FORM =
      Pattern.compile("basic ++([^ ]*+) *+", Pattern.CASE_INSENSITIVE);

  /** The characters that are not digits of Base64. */
  private static final Pattern OTHERS = Pattern.compile("[^A-Za-z0-9+/]");

  /**
   * Reads the value of an Authorization header.
   *
   * @param authorization the header's value, or null
   * @return the credentials; null if the header has no well-formed Basic credentials
   */
  public static @Nullable BasicCredentials parse(@Nullable String authorization) {
    String pair = decoded(authorization, FORM);
    return pair == null || hasBreak(pair, 0) ? null : split(pair);
  }

  /**
   * Returns the user name for the access log. Unlike {@link #parse}, accepts a name with line
   * breaks.
   *
   * @param authorization the header's value, or null
   * @return the name; null if it is absent or empty
   */
  public static @Nullable String loggedUser(@Nullable String authorization) {
    String pair = decoded(authorization, FORM);
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
    String pair = decoded(authorization, EXACT_FORM);
    return pair == null ? null : split(pair);
  }

  /** Returns a description without the password, which must not reach a log. */
  @Override
  public String toString() {
    return "BasicCredentials[" + LogText.escape(username) + "]";
  }

  private static @Nullable BasicCredentials split(String pair) {
    int colon = pair.indexOf(':');
    return colon < 0
        ? null
        : new BasicCredentials(pair.substring(0, colon), pair.substring(colon + 1));
  }

  /** Returns the decoded token; null if the header has another form. */
  private static @Nullable String decoded(@Nullable String header, Pattern form) {
    Matcher found = form.matcher(header == null ? "" : header);
    return found.matches() ? decode(found.group(1)) : null;
  }

  /** Decodes Base64 in both alphabets and skips other characters, unlike java.util.Base64. */
  private static String decode(String token) {
    String standard = token.replace('-', '+').replace('_', '/');
    String digits = OTHERS.matcher(standard).replaceAll("");
    int extra = digits.length() % 4 == 1 ? 1 : 0; // a single digit is not a byte
    String whole = digits.substring(0, digits.length() - extra);
    return new String(Base64.getDecoder().decode(whole), StandardCharsets.UTF_8);
  }

  /** Returns true if a text has a line break or a NUL, at which some programs would cut it off. */
  private static boolean hasBreak(String text, int from) {
    return text.chars()
        .skip(from)
        .anyMatch(c -> c == '\0' || c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029);
  }
}

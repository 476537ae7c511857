package dev.percolate.auth;

import dev.percolate.http.Percent;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A way to authenticate that a request was offered, and how a response asks for it (RFC 9110
 * section 11.6.1, RFC 6750 section 3).
 *
 * @param scheme the authentication scheme; null if it is a login page only
 * @param realm the name of the protected area
 * @param token whether the credentials are a token, whose challenge names the error
 * @param loginPath the path of the login page; null if there is none
 */
record Challenge(@Nullable String scheme, String realm, boolean token, @Nullable String loginPath) {

  /** Creates the challenge of an API key. */
  static Challenge key(String scheme) {
    return new Challenge(scheme, "api", false, null);
  }

  /** Creates the challenge of a token. */
  static Challenge token(String scheme) {
    return new Challenge(scheme, "api", true, null);
  }

  /** Creates the challenge of a site with a login page. */
  static Challenge login(String path) {
    return new Challenge(null, "site", false, path);
  }

  Challenge scheme(String scheme) {
    return new Challenge(scheme, realm, token, loginPath);
  }

  /**
   * Returns a copy with a realm.
   *
   * @throws IllegalArgumentException if the realm is not valid inside the quotes of a header value
   */
  Challenge realm(String realm) {
    boolean plain = realm.chars().allMatch(c -> c >= ' ' && c != 0x7F && c != '"' && c != '\\');
    if (!plain) {
      throw new IllegalArgumentException(
          "realm must not contain quotes, backslashes or control characters, was \""
              + realm
              + "\"");
    }
    return new Challenge(scheme, Percent.encodeForHeader(realm), token, loginPath);
  }

  /** Returns the header value that asks for credentials. */
  String header() {
    return (scheme == null ? "Login" : scheme) + " realm=\"" + realm + '"';
  }

  /** Returns the header value for an invalid token. */
  String invalid(String description) {
    return header() + ", error=\"invalid_token\", error_description=\"" + description + '"';
  }

  /** Returns the header value for a user without sufficient rights. */
  String insufficient(Set<String> scopes) {
    if (!token) {
      return header();
    }
    String needed = scopes.isEmpty() ? "" : ", scope=\"" + String.join(" ", scopes) + '"';
    return header() + ", error=\"insufficient_scope\"" + needed;
  }
}

package dev.percolate.auth;

import dev.percolate.http.Percent;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A way to authenticate that a request was offered, and how a response asks for it (RFC 9110
 * section 11.6.1, RFC 6750 section 3).
 *
 * @param scheme the authentication scheme
 * @param realm the name of the protected area
 * @param token whether the credentials are a token, whose challenge names the error
 * @param loginPath the path of the login page; null if there is none
 */
record Challenge(String scheme, String realm, boolean token, @Nullable String loginPath) {

  /**
   * Returns a copy with a realm.
   *
   * @throws IllegalArgumentException if the realm is not valid inside the quotes of a header value
   */
  Challenge realm(String realm) {
    if (!realm.chars().allMatch(c -> c >= ' ' && c != 0x7F && c != '"' && c != '\\')) {
      throw new IllegalArgumentException(
          "realm must not contain quotes, backslashes or control characters, was " + realm);
    }
    return new Challenge(scheme, Percent.encodeForHeader(realm), token, loginPath);
  }

  /** Returns the header value that asks for credentials. */
  String header() {
    return scheme + " realm=\"" + realm + '"';
  }

  /** Returns the header value for invalid credentials. */
  String invalid(@Nullable String description) {
    String error = ", error=\"invalid_token\", error_description=\"" + description + '"';
    return token ? header() + error : header();
  }

  /** Returns the header value for a user without sufficient rights. */
  String insufficient(Set<String> scopes) {
    String needed = scopes.isEmpty() ? "" : ", scope=\"" + String.join(" ", scopes) + '"';
    return token ? header() + ", error=\"insufficient_scope\"" + needed : header();
  }
}

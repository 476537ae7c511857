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
 * @param loginPath the path of the login page; null if there is none
 */
record Challenge(@Nullable String scheme, String realm, @Nullable String loginPath) {

  static final String BEARER = "Bearer";
  static final String DEFAULT_REALM = "api";

  static Challenge of(String scheme, String realm) {
    return new Challenge(scheme, realm, null);
  }

  /** Returns the header value that asks for credentials. */
  String header() {
    return (scheme == null ? "Login" : scheme) + " realm=\"" + realm + '"';
  }

  /** Returns the header value for invalid credentials. */
  String invalid(String description) {
    return isBearer()
        ? header() + ", error=\"invalid_token\", error_description=\"" + description + '"'
        : header();
  }

  /** Returns the header value for a user without sufficient rights. */
  String insufficient(Set<String> scopes) {
    if (!isBearer()) {
      return header();
    }
    String needed = scopes.isEmpty() ? "" : ", scope=\"" + String.join(" ", scopes) + '"';
    return header() + ", error=\"insufficient_scope\"" + needed;
  }

  private boolean isBearer() {
    return BEARER.equals(scheme);
  }

  /** Returns a realm that is valid inside the quotes of a header value. */
  static String realm(String realm) {
    boolean plain = realm.chars().allMatch(c -> c >= ' ' && c != 0x7F);
    if (!plain || realm.indexOf('"') >= 0 || realm.indexOf('\\') >= 0) {
      throw new IllegalArgumentException(
          "realm must not contain quotes, backslashes or control characters, was \""
              + realm
              + "\"");
    }
    return Percent.encodeForHeader(realm);
  }
}

package dev.percolate.auth;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates users from the claims of tokens. */
final class ClaimReader {

  private ClaimReader() {}

  /**
   * Creates the user of a token.
   *
   * @param name the subject
   * @param claims the claims as JSON values
   * @param rolesClaim the claim with the roles; a dot separates nested names
   */
  static AuthUser user(String name, Map<String, Object> claims, String rolesClaim) {
    Set<String> scopes = texts(claims.get("scope")); // RFC 8693
    scopes.addAll(texts(claims.get("scp"))); // of some issuers
    return new AuthUser(name, texts(value(claims, rolesClaim)), scopes, withoutNulls(claims));
  }

  private static @Nullable Object value(Map<String, Object> claims, String path) {
    Object whole = claims.get(path); // a name such as https://example.com/roles
    if (whole != null) {
      return whole;
    }
    Object found = claims;
    for (String name : path.split("\\.", -1)) {
      found = found instanceof Map<?, ?> map ? map.get(name) : null;
    }
    return found;
  }

  /** Returns the strings of a list, or the words of a string. */
  static Set<String> texts(@Nullable Object value) {
    Set<String> all = new LinkedHashSet<>();
    if (value instanceof String text) {
      all.addAll(Arrays.asList(text.split(" ", -1)));
    } else if (value instanceof Collection<?> many) {
      many.stream().filter(String.class::isInstance).map(String.class::cast).forEach(all::add);
    }
    all.remove("");
    return all;
  }

  private static Map<String, Object> withoutNulls(Map<String, Object> claims) {
    Map<String, Object> all = new LinkedHashMap<>(claims);
    all.values().removeIf(value -> value == null);
    return all;
  }
}

package dev.percolate.middleware;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The values of a session that is kept in a cookie, and its id: random, in the cookie beside the
 * values, and the same for as long as the session lasts. A map that has been cleared is a new
 * session.
 */
final class CookieValues extends LinkedHashMap<String, Object> {

  private static final long serialVersionUID = 1;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Pattern ID = Pattern.compile("[\\w-]{22}");
  private static final int ID_BYTES = 16;

  private @Nullable String id;

  /** Creates a session without values. */
  CookieValues() {}

  /** Creates a session that a client has sent; null for an id that it lacks. */
  CookieValues(@Nullable String id, Map<?, ?> values) {
    this.id = id != null && ID.matcher(id).matches() ? id : null;
    values.forEach((name, value) -> put(String.valueOf(name), value));
  }

  /** Returns the id; null for a session that has not been sent yet. */
  @Nullable String id() {
    return id;
  }

  /** Returns the id under which the session is sent. */
  String idToSend() {
    String known = id;
    if (known == null) {
      byte[] random = new byte[ID_BYTES];
      RANDOM.nextBytes(random);
      known = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
      id = known;
    }
    return known;
  }

  @Override
  public void clear() {
    super.clear();
    id = null;
  }
}

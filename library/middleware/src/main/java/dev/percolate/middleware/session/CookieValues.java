package dev.percolate.middleware.session;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The values and the id of a session that is stored in a cookie. The id is random, is stored with
 * the values, and stays the same until the session ends. A map that was cleared is a new session.
 */
public final class CookieValues extends LinkedHashMap<String, Object> {

  private static final long serialVersionUID = 1;
  private static final Pattern ID = Pattern.compile("[\\w-]{22}");
  private static final int ID_BYTES = 16;

  private @Nullable String id;

  /** Creates a session without values. */
  public CookieValues() {}

  /** Creates a session from the values that a client sent; the id is null if it sent none. */
  public CookieValues(@Nullable String id, Map<?, ?> values) {
    this.id = id != null && ID.matcher(id).matches() ? id : null;
    values.forEach((name, value) -> put(String.valueOf(name), value));
  }

  /** Returns the id; null if the session was not sent yet. */
  public @Nullable String id() {
    return id;
  }

  /** Returns the id to send, and creates it if the session has none. */
  public String idToSend() {
    if (id == null) {
      id = RandomText.of(ID_BYTES);
    }
    return id;
  }

  @Override
  public void clear() {
    super.clear();
    id = null;
  }
}

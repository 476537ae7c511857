package dev.percolate.auth;

import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.Nonce;
import dev.percolate.middleware.Session;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A login that a visitor has started, kept in the session until the visitor comes back.
 *
 * @param state proves that this browser started the login; it is used once
 * @param nonce proves that the ID token belongs to this login
 * @param verifier proves that the code was issued for this login (PKCE, RFC 7636)
 * @param returnTo the path to which the visitor is redirected at the end, without spaces
 */
record PendingLogin(State state, Nonce nonce, CodeVerifier verifier, String returnTo) {

  /** Unlikely as the beginning of a name that an application gives its own values. */
  private static final String PREFIX = "pending OIDC login ";

  private static final Duration LIFETIME = Duration.ofMinutes(15);
  private static final int MOST = 5;

  /** Creates a login with random values. */
  static PendingLogin returningTo(String path) {
    return new PendingLogin(new State(), new Nonce(), new CodeVerifier(), path);
  }

  /** Stores this login. A visitor may have started a few, in several tabs; older ones are lost. */
  void store(Session session) {
    List<String> started =
        session.names().stream()
            .filter(name -> name.startsWith(PREFIX))
            .sorted(Comparator.comparing(name -> String.valueOf(session.get(name)))) // by time
            .toList();
    for (int i = 0; i <= started.size() - MOST; i++) {
      Session unused = session.remove(started.get(i));
    }
    String begun = String.valueOf(System.currentTimeMillis());
    String values = String.join(" ", begun, nonce.getValue(), verifier.getValue(), returnTo);
    Session unused = session.set(PREFIX + state.getValue(), values);
  }

  /**
   * Removes a login from the session and from its store, and returns it. If several requests do so
   * at the same time, one of them gets it.
   *
   * @return the login; null if it is unknown, was used before, or is too old
   */
  static @Nullable PendingLogin take(Session session, @Nullable String state) {
    String name = PREFIX + state;
    if (state == null || session.get(name) == null) {
      return null; // without storing a session for a stranger
    }
    Object stored =
        session.update(
            now -> {
              Object found = now.get(name);
              Session unused = now.remove(name);
              return found;
            });
    if (!(stored instanceof String text) || isGone(session)) {
      return null;
    }
    String[] values = text.split(" ", 4);
    long age = System.currentTimeMillis() - Long.parseLong(values[0]);
    return age > LIFETIME.toMillis()
        ? null
        : new PendingLogin(
            new State(state), new Nonce(values[1]), new CodeVerifier(values[2]), values[3]);
  }

  /** Returns true if another request has ended the session meanwhile, after using the login. */
  private static boolean isGone(Session session) {
    try {
      Session unused = session.reload();
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }
}

package dev.percolate.engine.tls;

import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Holds an {@link SSLContext} for each server name that clients send, so that a session which began
 * under one name is never resumed under another (RFC 6066 section 3): contexts share neither
 * sessions nor ticket keys. From any thread.
 *
 * <p>Clients choose the names, so only the most recently used contexts are kept: {@value
 * #MOST_SERVED} for names with a certificate and {@value #MOST_OTHERS} for others, which cannot
 * evict the former. A client whose context was evicted makes a full handshake.
 */
final class SessionContexts {

  private static final int MOST_SERVED = 256;
  private static final int MOST_OTHERS = 16;

  /**
   * The number of sessions that a context keeps for clients without session tickets; the JDK's
   * default is 20,480.
   */
  private static final int MOST_SESSIONS = 256;

  private final Function<@Nullable String, KeyManager> keys;
  private final TrustManager[] trusted;
  private final Predicate<String> served;
  private final Map<String, SSLContext> ofServed = new Recent(MOST_SERVED);
  private final Map<String, SSLContext> ofOthers = new Recent(MOST_OTHERS);

  /**
   * Creates an empty set of contexts.
   *
   * @param keys creates the key manager for a name
   * @param served returns whether there is a certificate for a name
   */
  SessionContexts(
      Function<@Nullable String, KeyManager> keys,
      TrustManager[] trusted,
      Predicate<String> served) {
    this.keys = keys;
    this.trusted = trusted;
    this.served = served;
  }

  /**
   * Returns the context of a name.
   *
   * @param name the name in lower case; empty for clients that send none; null for a new context,
   *     which resumes no session and whose sessions are not resumed
   * @throws GeneralSecurityException if the JDK does not support TLS
   */
  SSLContext of(@Nullable String name) throws GeneralSecurityException {
    if (name == null) {
      return create(null);
    }
    Map<String, SSLContext> kept = name.isEmpty() || served.test(name) ? ofServed : ofOthers;
    synchronized (kept) {
      SSLContext known = kept.get(name);
      if (known == null) {
        known = create(name);
        kept.put(name, known);
      }
      return known;
    }
  }

  private SSLContext create(@Nullable String name) throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(new KeyManager[] {keys.apply(name)}, trusted, null);
    context.getServerSessionContext().setSessionCacheSize(MOST_SESSIONS);
    return context;
  }

  /** The most recently used contexts, by name. */
  private static final class Recent extends LinkedHashMap<String, SSLContext> {

    private static final long serialVersionUID = 1;

    private final int most;

    Recent(int most) {
      super(16, 0.75f, true);
      this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, SSLContext> eldest) {
      return size() > most;
    }
  }
}

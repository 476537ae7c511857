package dev.percolate.nio.tls;

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
 * sessions nor ticket keys. Thread-safe.
 *
 * <p>Clients choose the names, so only the most recently used contexts are kept: {@value
 * #MOST_SERVED} for names with a certificate and {@value #MOST_OTHERS} for others, which cannot
 * evict the former. A client whose context was evicted makes a full handshake.
 */
final class SessionContexts {

  private static final int MOST_SERVED = 256;
  private static final int MOST_OTHERS = 16;

  /**
   * The number of sessions that all contexts of a kind keep together for clients without session
   * tickets, in equal parts. The JDK's default for one context is 20,480.
   */
  private static final int SESSIONS_SERVED = 16_384;

  private static final int SESSIONS_OTHERS = 1_024;

  private final Function<@Nullable String, KeyManager> keys;
  private final TrustManager[] trusted;
  private final Predicate<String> served;
  private final Recent ofServed = new Recent(MOST_SERVED, SESSIONS_SERVED);
  private final Recent ofOthers = new Recent(MOST_OTHERS, SESSIONS_OTHERS);

  /**
   * Creates an empty set of contexts.
   *
   * @param keys creates the key manager for a name
   * @param served returns true if there is a certificate for a name
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
    Recent kept = name.isEmpty() || served.test(name) ? ofServed : ofOthers;
    synchronized (kept) {
      SSLContext known = kept.get(name);
      if (known != null) {
        return known;
      }
    }
    return kept.keep(name, create(name));
  }

  private SSLContext create(@Nullable String name) throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(new KeyManager[] {keys.apply(name)}, trusted, null);
    return context;
  }

  /** The most recently used contexts, by name. */
  private static final class Recent extends LinkedHashMap<String, SSLContext> {

    private static final long serialVersionUID = 1;

    private final int most;

    private final int sessions;

    /**
     * Creates an empty map.
     *
     * @param most the number of contexts
     * @param sessions the number of sessions of all contexts together
     */
    Recent(int most, int sessions) {
      super(16, 0.75f, true);
      this.most = most;
      this.sessions = sessions;
    }

    /** Keeps a context unless another thread has added one; returns the kept one. */
    synchronized SSLContext keep(String name, SSLContext created) {
      SSLContext before = putIfAbsent(name, created);
      if (before != null) {
        return before;
      }
      values().forEach(one -> one.getServerSessionContext().setSessionCacheSize(sessions / size()));
      return created;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, SSLContext> eldest) {
      return size() > most;
    }
  }
}

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
 * Holds a context of the JDK for each server name that clients ask for, so that a session which
 * began under one name is never resumed under another (RFC 6066 section 3): a context knows neither
 * the sessions nor the ticket keys of others. From any thread.
 *
 * <p>Names are the client's to choose, so as many contexts are kept as were used last: {@value
 * #MOST_SERVED} of names that a certificate is for, {@value #MOST_OTHERS} of others, which cannot
 * drive out the former. A client whose context has gone makes a full handshake.
 */
final class SessionContexts {

  private static final int MOST_SERVED = 256;
  private static final int MOST_OTHERS = 16;

  /**
   * The number of sessions that a context keeps, of clients that cannot keep theirs; the JDK's
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
   * @param keys creates the choice of certificates for a name
   * @param served returns whether a certificate is for a name
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
   * @param name in lower case; empty for clients that ask for none; null for one that resumes no
   *     session, and whose session is not resumed
   * @throws GeneralSecurityException if the JDK has no TLS
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

  /** The contexts that were used last, by name. */
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

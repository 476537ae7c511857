package dev.percolate.middleware;

import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.StoreUnavailableException;
import dev.percolate.middleware.session.SessionEndHooks;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The sessions of the {@linkplain Session#owner owner} of a session, on all devices. Users can see
 * where they are logged in, and log out there. Each method loads the session of the request.
 *
 * <p>If the store fails, each method throws {@link StoreUnavailableException}.
 */
public final class OwnedSessions {

  /** The form of a handle. */
  private static final Pattern HANDLE = Pattern.compile("[\\w-]{43}");

  private final Session own;
  private final SessionVisit visit;

  OwnedSessions(Session own, SessionVisit visit) {
    this.own = own;
    this.visit = visit;
  }

  /**
   * Returns the sessions, most recently used first. Empty if there is no owner. A new session is
   * missing until it is stored. The time of the last use is exact to a tenth of the lifetime.
   */
  public List<SessionStore.OwnedSession> list() {
    String owner = own.owner();
    return owner == null ? List.of() : visit.ask(store -> store.list(owner));
  }

  /** Returns the handle of the session of the request. Unlike an id, it is not secret. */
  public String ownHandle() {
    return SessionStore.handle(own.id());
  }

  /**
   * Ends one session, such as on a lost device.
   *
   * @param handle the handle of a session in {@link #list}; may come from a form
   * @return false if the owner has no such session
   */
  public boolean end(String handle) {
    String owner = own.owner();
    if (handle.equals(ownHandle())) {
      own.destroy();
      return true;
    }
    boolean ended =
        owner != null
            && HANDLE.matcher(handle).matches()
            && visit.ask(store -> store.removeOwned(owner, handle));
    if (ended) {
      SessionEndHooks.ended(handle);
    }
    return ended;
  }

  /**
   * Ends the session of the request and all others of its owner, so that the user has to log in
   * again on every device.
   */
  public void endAll() {
    String owner = own.owner();
    List<SessionStore.OwnedSession> all = new ArrayList<>();
    if (owner != null) {
      visit.attempt(store -> all.addAll(store.list(owner))); // one of them may be unreadable
      visit.tell(store -> store.removeAll(owner));
    }
    own.destroy(); // last, so that the user can repeat it after a failure
    all.forEach(session -> SessionEndHooks.ended(session.handle()));
  }
}

package dev.percolate.middleware;

import dev.percolate.core.store.SessionStore;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Passes all calls on to another store. */
class ForwardingStore implements SessionStore {

  private final SessionStore store;

  ForwardingStore(SessionStore store) {
    this.store = store;
  }

  @Override
  public @Nullable Entry load(String id) throws IOException {
    return store.load(id);
  }

  @Override
  public Entry create(String id, SessionData session) throws IOException {
    return store.create(id, session);
  }

  @Override
  public ReplaceResult replace(String id, SessionData session, long version) throws IOException {
    return store.replace(id, session, version);
  }

  @Override
  public boolean touch(String id, SessionData session) throws IOException {
    return store.touch(id, session);
  }

  @Override
  public void remove(String id) throws IOException {
    store.remove(id);
  }

  @Override
  public void end(String id, Instant until) throws IOException {
    store.end(id, until);
  }

  @Override
  public @Nullable Instant endedAt(String id) throws IOException {
    return store.endedAt(id);
  }

  @Override
  public void removeAll(String owner) throws IOException {
    store.removeAll(owner);
  }

  @Override
  public List<OwnedSession> list(String owner) throws IOException {
    return store.list(owner);
  }

  @Override
  public boolean removeOwned(String owner, String handle) throws IOException {
    return store.removeOwned(owner, handle);
  }
}

package dev.percolate.middleware.session;

import dev.percolate.core.store.SessionStore;
import dev.percolate.engine.Callbacks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Runs hooks when a session ends in this process, such as closing its WebSockets. */
public final class SessionEndHooks {

  private static final Map<String, List<Runnable>> HOOKS = new ConcurrentHashMap<>();

  private SessionEndHooks() {}

  /**
   * Adds a hook that runs when a session ends in this process.
   *
   * @param handle the {@linkplain SessionStore#handle handle} of the session
   * @return removes the hook
   */
  public static Runnable add(String handle, Runnable hook) {
    HOOKS.compute(
        handle,
        (key, all) -> {
          List<Runnable> more = all == null ? new ArrayList<>(2) : all;
          more.add(hook);
          return more;
        });
    return () ->
        HOOKS.computeIfPresent(
            handle, (key, all) -> all.remove(hook) && all.isEmpty() ? null : all);
  }

  /** Runs the hooks of a session that has ended, given its handle. */
  public static void ended(String handle) {
    List<Runnable> all = HOOKS.remove(handle);
    if (all != null) {
      Callbacks.runAll("a hook for the end of a session", List.copyOf(all));
    }
  }
}

package dev.percolate.middleware.session;

import dev.percolate.engine.Callbacks;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs hooks when a session ends in this process, such as closing its WebSockets. */
public final class SessionEnds {

  private static final Map<String, Map<Object, Runnable>> HOOKS = new HashMap<>();

  private SessionEnds() {}

  /** Adds a hook that runs when a session ends in this process. The result removes the hook. */
  public static Runnable add(String id, Runnable hook) {
    Object key = new Object();
    synchronized (HOOKS) {
      HOOKS.computeIfAbsent(id, any -> new HashMap<>(2)).put(key, hook);
    }
    return () -> remove(id, key);
  }

  /** Runs the hooks of a session that has ended. */
  public static void ended(String id) {
    List<Runnable> all;
    synchronized (HOOKS) {
      Map<Object, Runnable> removed = HOOKS.remove(id);
      all = removed == null ? List.of() : List.copyOf(removed.values());
    }
    Callbacks.runAll("a hook for the end of a session", all);
  }

  private static void remove(String id, Object key) {
    synchronized (HOOKS) {
      Map<Object, Runnable> all = HOOKS.get(id);
      if (all != null && all.remove(key) != null && all.isEmpty()) {
        HOOKS.remove(id);
      }
    }
  }
}

package dev.percolate.middleware.session;

import dev.percolate.engine.Callbacks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Runs hooks when a session ends in this process, such as closing its WebSockets. */
public final class SessionEndHooks {

  private static final Map<String, List<Runnable>> HOOKS = new ConcurrentHashMap<>();

  private SessionEndHooks() {}

  /** Adds a hook that runs when a session ends in this process. The result removes the hook. */
  public static Runnable add(String id, Runnable hook) {
    HOOKS.compute(
        id,
        (key, all) -> {
          List<Runnable> more = all == null ? new ArrayList<>(2) : all;
          more.add(hook);
          return more;
        });
    return () ->
        HOOKS.computeIfPresent(id, (key, all) -> all.remove(hook) && all.isEmpty() ? null : all);
  }

  /** Runs the hooks of a session that has ended. */
  public static void ended(String id) {
    List<Runnable> all = HOOKS.remove(id);
    if (all != null) {
      Callbacks.runAll("a hook for the end of a session", List.copyOf(all));
    }
  }
}

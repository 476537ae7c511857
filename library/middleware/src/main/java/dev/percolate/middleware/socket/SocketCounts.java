package dev.percolate.middleware.socket;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Counts the open sockets of each client. */
public final class SocketCounts {

  private final ConcurrentHashMap<String, Integer> open = new ConcurrentHashMap<>();

  /** Increments the count of a client if it is below the limit. Returns whether it was. */
  public boolean enter(String client, int most) {
    boolean[] entered = {false};
    open.compute(
        client,
        (name, count) -> {
          int now = count == null ? 0 : count;
          entered[0] = now < most;
          return entered[0] ? Integer.valueOf(now + 1) : count;
        });
    return entered[0];
  }

  /** Decrements the count of a client; null for a client that was not counted. */
  public void leave(@Nullable String client) {
    if (client != null) {
      open.computeIfPresent(
          client, (name, count) -> count == 1 ? null : Integer.valueOf(count - 1));
    }
  }
}

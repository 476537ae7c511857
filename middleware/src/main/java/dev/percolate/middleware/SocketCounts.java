package dev.percolate.middleware;

import java.util.concurrent.ConcurrentHashMap;

/** Counts the sockets of each client, as far as it has any. */
final class SocketCounts {

  private final ConcurrentHashMap<String, Integer> open = new ConcurrentHashMap<>();

  /** Counts one more, unless there are as many as may be. */
  boolean enter(String client, int most) {
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

  void leave(String client) {
    open.computeIfPresent(client, (name, count) -> count == 1 ? null : Integer.valueOf(count - 1));
  }
}

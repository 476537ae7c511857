package dev.percolate.core;

import dev.percolate.engine.Callbacks;
import dev.percolate.engine.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The running servers of an application, and the hooks for their shutdown. */
final class RunningServers {

  private final List<Server> servers = new ArrayList<>();
  private final Map<Object, Runnable> drainHooks = new ConcurrentHashMap<>();

  /** Whether the hooks were called and all servers are closing, so that later hooks run at once. */
  private volatile boolean closing;

  /** The number of failed handshakes of servers that have ended. */
  private long failedHandshakes;

  void add(Server server) {
    synchronized (this) {
      servers.add(server);
      closing = false;
    }
    server.closed().whenComplete((done, error) -> ended(server));
  }

  private synchronized void ended(Server server) {
    servers.remove(server);
    failedHandshakes += server.failedHandshakes();
    if (servers.isEmpty()) {
      closing = false;
    }
  }

  synchronized long failedHandshakes() {
    return failedHandshakes + servers.stream().mapToLong(Server::failedHandshakes).sum();
  }

  synchronized long connections() {
    return servers.stream().mapToLong(server -> Math.max(0, server.connections())).sum();
  }

  /** Returns true if a server is being closed. */
  synchronized boolean isShuttingDown() {
    return servers.stream().anyMatch(Server::isShuttingDown);
  }

  /** Calls each hook once, even if other hooks throw. */
  void notifyShutdown() {
    synchronized (this) { // before the hooks are read: those added meanwhile run as well
      closing = !servers.isEmpty() && servers.stream().allMatch(Server::isShuttingDown);
    }
    List.copyOf(drainHooks.keySet()).forEach(this::call);
  }

  /**
   * Registers a hook for {@link #notifyShutdown}; returns a task that removes it. After that, the
   * hook runs at once: the request was in progress when the last server stopped accepting clients.
   */
  Runnable onShutdown(Runnable hook) {
    Object key = new Object();
    drainHooks.put(key, hook);
    if (closing) {
      call(key);
    }
    return () -> drainHooks.remove(key);
  }

  private void call(Object key) {
    Runnable hook = drainHooks.remove(key);
    if (hook != null) {
      Callbacks.run("a hook of onDrain", hook);
    }
  }
}

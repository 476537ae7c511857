package dev.percolate.vertx;

import io.netty.channel.EventLoop;
import io.netty.util.AsciiString;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.SocketAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One event loop of a server, with the connections it serves. All but {@link #execute} and {@link
 * #drain} is used on the loop only.
 */
final class Loop implements Executor {

  private final ContextInternal context;
  private final EventLoop thread;
  private final DateHeader date = new DateHeader();
  private final Set<Connection> connections = new HashSet<>();
  private final Map<Addresses, Connection> unknown = new HashMap<>();
  private final Map<HttpConnection, Connection> known = new HashMap<>();
  private final List<Connection> unflushed = new ArrayList<>();
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private boolean draining;

  /** Both ends of a connection, since the engine has no other name for it. */
  private record Addresses(@Nullable Object remote, @Nullable Object local) {}

  Loop(ContextInternal context) {
    this.context = context;
    this.thread = context.nettyEventLoop();
  }

  ContextInternal context() {
    return context;
  }

  EventLoop thread() {
    return thread;
  }

  boolean isHere() {
    return thread.inEventLoop();
  }

  /** Gives the value of the header {@code Date}. */
  AsciiString date() {
    return date.now();
  }

  /** Runs a task on the loop: at once if the calling thread is the loop's. */
  @Override
  public void execute(Runnable task) {
    if (thread.inEventLoop()) {
      task.run();
    } else {
      thread.execute(task);
    }
  }

  /**
   * Flushes a connection when all that has arrived is read and answered as far as the loop itself
   * does. Answers then go to the kernel one after the other, which costs it and us less than each
   * between two requests.
   */
  void flushLater(Connection connection) {
    if (unflushed.isEmpty()) {
      thread.execute(this::flush);
    }
    unflushed.add(connection);
  }

  /** Looks after the connections from now on. */
  @SuppressWarnings("FutureReturnValueIgnored") // it ends with the loop
  void watch(long everyMs) {
    thread.scheduleAtFixedRate(this::check, everyMs, everyMs, TimeUnit.MILLISECONDS);
  }

  void opened(Connection connection) {
    connections.add(connection);
    unknown.put(new Addresses(connection.remoteAddress(), connection.localAddress()), connection);
  }

  /** Brings the engine's connection together with ours. */
  void opened(HttpConnection http) {
    Addresses addresses = new Addresses(inet(http.remoteAddress()), inet(http.localAddress()));
    Connection connection = unknown.remove(addresses);
    if (connection == null) {
      throw new IllegalStateException("a connection that nobody accepted: " + addresses);
    }
    connection.http(http);
    known.put(http, connection);
  }

  /** Gives our connection; null if it has been closed, with requests still in the engine. */
  @Nullable Connection connection(HttpConnection http) {
    return known.get(http);
  }

  void closed(Connection connection) {
    connections.remove(connection);
    HttpConnection http = connection.http();
    if (http == null) {
      unknown.values().remove(connection);
    } else {
      known.remove(http);
    }
    endIfDrained();
  }

  /** Ends all connections, letting requests that have arrived be answered. */
  CompletableFuture<Void> drain() {
    execute(
        () -> {
          draining = true;
          List.copyOf(connections).forEach(Connection::drain);
          endIfDrained();
        });
    return drained;
  }

  private void endIfDrained() {
    if (draining && connections.isEmpty()) {
      drained.complete(null);
    }
  }

  private void flush() {
    for (int i = 0; i < unflushed.size(); i++) { // a flush may lead to further ones
      unflushed.get(i).flush();
    }
    unflushed.clear();
  }

  private void check() {
    long now = System.nanoTime();
    List.copyOf(connections).forEach(connection -> connection.check(now));
  }

  private static @Nullable InetSocketAddress inet(SocketAddress address) {
    return address == null ? null : new InetSocketAddress(address.hostAddress(), address.port());
  }
}

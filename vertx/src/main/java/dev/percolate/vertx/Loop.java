package dev.percolate.vertx;

import dev.percolate.engine.Turn;
import dev.percolate.engine.loop.Inbox;
import dev.percolate.engine.loop.Starter;
import dev.percolate.engine.loop.StepPool;
import dev.percolate.engine.loop.StepThreads;
import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.util.AsciiString;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.SocketAddress;
import java.lang.System.Logger.Level;
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

  private static final System.Logger LOG = System.getLogger("dev.percolate.vertx");

  private final ContextInternal context;
  private final EventLoop thread;
  private final boolean parks;
  private final @Nullable Starter starter;
  private final @Nullable StepPool pool;
  private final Executor steps;
  private final Inbox inbox;
  private final HeaderLine.DateHeader date = new HeaderLine.DateHeader();
  private final Set<Connection> connections = new HashSet<>();
  private final Map<Addresses, Connection> unknown = new HashMap<>();
  private final Map<HttpConnection, Connection> known = new HashMap<>();
  private final List<Connection> unflushed = new ArrayList<>();
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private boolean draining;

  /** Both ends of a connection, since the engine has no other name for it. */
  private record Addresses(@Nullable Object remote, @Nullable Object local) {}

  Loop(ContextInternal context, StepThreads threads) {
    this.context = context;
    this.thread = context.nettyEventLoop();
    this.parks = threads.parks();
    this.starter = threads.starter(thread::inEventLoop, thread);
    this.pool = threads.pool();
    this.steps = starter != null ? starter : pool != null ? pool : this;
    this.inbox = new Inbox(thread);
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

  /** Creates the turn of an exchange of this loop. */
  Turn turn() {
    return new Turn(steps, parks);
  }

  /** Returns the pool whose threads run the steps; null where they have others. */
  @Nullable StepPool pool() {
    return pool;
  }

  /** Returns the value of the header {@code Date}. */
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
   * Runs a task on the loop: at once if the calling thread is the loop's, else together with what
   * other threads want done in this turn.
   *
   * @param lost is run instead if the server has been closed meanwhile
   */
  void execute(Runnable task, Runnable lost) {
    if (thread.inEventLoop()) {
      task.run();
    } else {
      enqueue(task, lost);
    }
  }

  /** Runs a task on the loop behind those that other threads have brought; see above. */
  void enqueue(Runnable task, Runnable lost) {
    inbox.add(task, lost);
  }

  /**
   * Flushes a connection when all that has arrived is read and answered as far as the loop itself
   * does. Answers then go to the kernel one after the other, which costs it and us less than each
   * between two requests.
   */
  void flushLater(Connection connection) {
    unflushed.add(connection);
    if (unflushed.size() == 1) {
      thread.execute(this::flush);
    }
  }

  /** Runs a task when each connection has been read again; called on the loop. */
  void afterReading(Runnable task) {
    // What ends a turn has the task wait for the next one, which begins with reading.
    ((SingleThreadEventLoop) thread).executeAfterEventLoopIteration(() -> thread.execute(task));
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

  /** Returns our connection; null if it has been closed, with requests still in the engine. */
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
    int flushed = 0;
    try {
      while (flushed < unflushed.size()) { // a flush may lead to further ones
        unflushed.get(flushed++).flush();
      }
    } finally {
      unflushed.subList(0, flushed).clear();
      if (!unflushed.isEmpty()) {
        thread.execute(this::flush);
      }
    }
  }

  private void check() {
    try {
      if (starter != null) {
        starter.retry();
      }
      inbox.takeAll(); // what there was no memory to ask for, as the flushes
      flush();
      long now = System.nanoTime();
      List.copyOf(connections).forEach(connection -> connection.check(now));
      if (pool != null) {
        pool.check(now);
      }
    } catch (RuntimeException | Error e) { // else it would be the last look
      LOG.log(Level.ERROR, "connections could not be looked after", e);
    }
  }

  private static @Nullable InetSocketAddress inet(SocketAddress address) {
    return address == null ? null : new InetSocketAddress(address.hostAddress(), address.port());
  }
}

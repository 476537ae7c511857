package dev.percolate.nio;

import dev.percolate.engine.Callbacks;
import dev.percolate.engine.FatalErrorHandler;
import dev.percolate.engine.FatalErrorPolicy;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.RestartingTask;
import dev.percolate.engine.SafeLog;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.engine.Shutdown;
import dev.percolate.nio.loop.ListenAddress;
import dev.percolate.nio.loop.StepThreads;
import dev.percolate.nio.protocol.Protocol;
import dev.percolate.nio.transport.Handshakes;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A listening port with its event loops. */
final class NioServer implements Server {

  private static final System.Logger LOG = System.getLogger("dev.percolate.nio");

  /**
   * How long {@link #close} waits for the event loops, which end immediately unless they are
   * blocked, in nanoseconds.
   */
  private static final long LOOPS_END_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final ServerState state;
  private final StepThreads threads;
  private final List<NioLoop> loops;
  private final List<Thread> running = new ArrayList<>();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private final Acceptor acceptor;
  private final int port;

  private NioServer(ServerState state, StepThreads threads, List<NioLoop> loops)
      throws IOException {
    this.state = state;
    this.threads = threads;
    this.loops = loops;
    this.acceptor = new Acceptor(state, new ConnectionBalancer(state, loops));
    this.port = acceptor.port();
  }

  static NioServer start(Service service, ListenOptions options, LoopThreads kind)
      throws IOException {
    return start(service, options, kind, ServerState::findProtocol);
  }

  /**
   * Starts a server.
   *
   * @param protocols finds the other protocol besides HTTP/1.1, or null; called only if the options
   *     allow one
   */
  static NioServer start(
      Service service,
      ListenOptions options,
      LoopThreads kind,
      Supplier<@Nullable Protocol> protocols)
      throws IOException {
    FatalErrorHandler.prepare();
    ServerState state = new ServerState(service, options, kind, protocols);
    StepThreads threads = new StepThreads(options.threads());
    List<NioLoop> loops = new ArrayList<>();
    NioServer server;
    try {
      for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
        RecentValues recent = new RecentValues();
        Supplier<HeadParser> parsers = () -> new HeadParser(options, recent);
        loops.add(new NioLoop(kind, threads, state.timeoutCheck(), parsers));
      }
      server = new NioServer(state, threads, List.copyOf(loops));
    } catch (IOException | RuntimeException | Error e) {
      loops.forEach(NioLoop::discard);
      throw e;
    }
    try {
      server.begin(kind);
      Shutdown.add(Shutdown.Stage.SERVERS, server);
    } catch (RuntimeException | Error e) { // such as "unable to create native thread"
      server.discard();
      throw e;
    }
    server.logStart(options);
    return server;
  }

  private void begin(LoopThreads kind) {
    for (int i = 0; i < loops.size(); i++) {
      begin("event loop", kind, "percolate-loop-" + i, loops.get(i));
    }
    begin(
        "thread that accepts connections",
        LoopThreads.PLATFORM, // busy handlers must not delay new clients
        "percolate-acceptor",
        acceptor);
    state.start();
  }

  /** Releases the resources of a server of which some threads could not be started. */
  private void discard() {
    acceptor.stop();
    if (running.size() <= loops.size()) {
      acceptor.close();
    }
    loops.forEach(NioLoop::stop);
    loops.stream().skip(running.size()).forEach(NioLoop::discard);
    threads.close();
    state.close();
  }

  /** Logs the address of the server; at INFO if HTTP/2 is missing, which is easy to overlook. */
  private void logStart(ListenOptions options) {
    boolean lacks = options.tls() != null && state.protocol() == null;
    LOG.log(
        lacks ? Level.INFO : Level.DEBUG,
        "listening at {0}, threads: {1}{2}",
        uri(),
        options.threads(),
        lacks ? "; HTTP/1.1 only, add percolate-http2 for HTTP/2" : "");
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public URI uri() {
    return ListenAddress.uri(state.options(), port);
  }

  @Override
  public CompletionStage<Void> closed() {
    return closed.minimalCompletionStage();
  }

  @Override
  public void reloadTls() throws IOException {
    Handshakes handshakes = state.handshakes();
    if (handshakes == null) {
      throw new IllegalStateException("reloadTls() needs a server with TLS, see ListenOptions.tls");
    }
    handshakes.reload();
  }

  @Override
  public long failedHandshakes() {
    Handshakes handshakes = state.handshakes();
    return handshakes == null ? 0 : handshakes.failed();
  }

  @Override
  public int connections() {
    return state.admission().open();
  }

  @Override
  public boolean isShuttingDown() {
    return state.isShuttingDown();
  }

  @Override
  public void close() {
    if (loops.stream().anyMatch(NioLoop::isHere)) {
      throw new IllegalStateException("close() must not be called on an event loop of the server");
    }
    if (!closing.compareAndSet(false, true)) {
      closed.join();
      return;
    }
    try {
      Callbacks.run("announcing the shutdown of a server", state::announce);
      Callbacks.run("draining a server", this::drain);
      release();
    } finally {
      closed.complete(null);
      Shutdown.remove(Shutdown.Stage.SERVERS, this);
    }
  }

  @Override
  public String toString() {
    return "server at " + uri();
  }

  /** Starts a thread without which the server cannot serve all clients. */
  private void begin(String what, LoopThreads kind, String name, Runnable task) {
    Thread thread =
        kind.create(
            () -> {
              try {
                task.run();
              } catch (Throwable e) { // the task could not recover
                fatal(what, e);
              }
            },
            name);
    thread.start();
    running.add(thread);
  }

  private void fatal(String what, Throwable cause) {
    if (state.options().onFatalError() == FatalErrorPolicy.END_PROCESS
        && !FatalErrorHandler.isProcessHosted()) {
      FatalErrorHandler.endProcess(what, cause);
    }
    SafeLog.log(LOG, Level.ERROR, "a server failed and is being closed", cause);
    new RestartingTask(
            "thread that closes a server", () -> new Thread(this::close, "percolate-close").start())
        .run();
  }

  private void drain() {
    state.drain();
    acceptor.stop();
    join(running.get(running.size() - 1), LOOPS_END_NANOS);
    Callbacks.run("the drain callback of the service", state.service()::onShutdown);
    CompletableFuture<?>[] all =
        loops.stream().map(NioLoop::drain).toArray(CompletableFuture<?>[]::new);
    CompletableFuture<Void> over =
        CompletableFuture.allOf(all).thenCompose(gone -> state.lastFinished());
    long end = System.nanoTime() + state.options().shutdownTimeout().toNanos();
    try {
      while (!isOverSoon(over)) {
        if (System.nanoTime() - end > 0) {
          LOG.log(Level.WARNING, "{0} requests exceeded the drain timeout", state.unfinished());
          return;
        }
        loops.forEach(NioLoop::tick); // the acceptor, which did this, has stopped
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isOverSoon(CompletableFuture<Void> over) throws InterruptedException {
    try {
      over.get(state.timeoutCheck().everyMs(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private void release() {
    loops.forEach(NioLoop::stop);
    long end = System.nanoTime() + LOOPS_END_NANOS;
    boolean all = true;
    for (Thread thread : running) {
      all &= join(thread, end - System.nanoTime());
    }
    if (!all) {
      LOG.log(Level.WARNING, "an event loop is blocked by a handler or callback and has not ended");
    }
    threads.close();
    state.close();
  }

  /** Waits for the end of a thread. Returns true if it has ended. */
  private static boolean join(Thread thread, long nanos) {
    try {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }
}

package dev.percolate.vertx;

import dev.percolate.engine.Halt;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.engine.Shutdown;
import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.loop.Admission;
import dev.percolate.engine.loop.CarrierScaler;
import dev.percolate.engine.loop.Departure;
import dev.percolate.engine.loop.ListenAddress;
import dev.percolate.engine.loop.StepThreads;
import dev.percolate.engine.loop.TimeoutCheck;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.http.HttpServerInternal;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** One listening port with its event loops. */
final class VertxServer implements Server {

  private static final System.Logger LOG = System.getLogger("dev.percolate.vertx");

  /** How long closing waits for the event loops, which end at once unless something holds them. */
  private static final long LOOPS_END_SECONDS = 3;

  private final Service service;
  private final ListenOptions options;
  private final StepThreads threads;
  private final Admission admission;
  private final AcceptingTransport transport;
  private final Vertx vertx;
  private final Map<EventLoop, Loop> loops = new HashMap<>();
  private final @Nullable CarrierScaler relief;
  private final LongAdder completed = new LongAdder();
  private final AtomicInteger unfinished = new AtomicInteger();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final CompletableFuture<Void> finished = new CompletableFuture<>();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private final Departure departure = new Departure();
  private volatile boolean draining;
  private volatile boolean disconnected;
  private volatile boolean released;
  private int port;

  private VertxServer(Service service, ListenOptions options) {
    this.service = service;
    this.options = options;
    this.threads = new StepThreads(options.threads());
    this.admission = new Admission(options);
    this.transport = new AcceptingTransport(this::accepts, admission::failed);
    this.vertx = Vertx.builder().with(VertxConfig.vertx()).withTransport(transport).build();
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      Loop loop = new Loop(((VertxInternal) vertx).createEventLoopContext(), threads);
      loops.put(loop.thread(), loop);
    }
    boolean relieves = options.threads() == ThreadMode.VIRTUAL && CarrierScaler.available();
    this.relief = relieves ? new CarrierScaler(unanswered::get, completed::sum) : null;
  }

  static VertxServer start(Service service, ListenOptions options) throws IOException {
    InetAddress address = ListenAddress.of(options);
    VertxServer server = new VertxServer(service, options);
    try {
      server.bind(address);
    } catch (Throwable e) {
      server.release();
      throw e;
    }
    Shutdown.add(Shutdown.Stage.SERVERS, server);
    LOG.log(Level.DEBUG, "listening at {0}, threads: {1}", server.uri(), options.threads());
    return server;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public URI uri() {
    return ListenAddress.uri(options, port);
  }

  @Override
  public CompletionStage<Void> closed() {
    return closed.minimalCompletionStage();
  }

  @Override
  public int connections() {
    return admission.open();
  }

  @Override
  public boolean leaving() {
    return departure.hasBegun();
  }

  @Override
  public void close() {
    if (loops.values().stream().anyMatch(Loop::isHere)) {
      throw new IllegalStateException("close() would wait for the event loop that it runs on");
    }
    if (!closing.compareAndSet(false, true)) {
      closed.join();
      return;
    }
    try {
      departure.announce(options);
      drain();
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

  Service service() {
    return service;
  }

  ListenOptions options() {
    return options;
  }

  boolean draining() {
    return draining;
  }

  Loop loop(EventLoop thread) {
    return Objects.requireNonNull(loops.get(thread));
  }

  /** Tells whether as many requests are under way as may be. */
  boolean isFull() {
    return unfinished.get() >= options.maxRequests();
  }

  /** Counts a request that has arrived. */
  void began() {
    unfinished.incrementAndGet();
  }

  /** Counts a request whose steps begin. */
  void stepping() {
    unanswered.incrementAndGet();
    if (relief != null) {
      relief.wake();
    }
  }

  /** Counts an exchange whose answer has been given, or can no longer be. */
  void answered() {
    unanswered.decrementAndGet();
  }

  /** Counts an exchange whose answer and hooks are over. */
  void finished() {
    completed.increment();
    if (unfinished.decrementAndGet() == 0 && disconnected) {
      finished.complete(null);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the listener's future is the one it listens to
  private boolean accepts(Channel channel) {
    InetAddress peer = ((InetSocketAddress) channel.remoteAddress()).getAddress();
    boolean admitted = admission.admits(peer);
    if (admitted) {
      channel.closeFuture().addListener(closed -> admission.left(peer));
      channel.pipeline().addFirst(new Connection(this, options));
    }
    return admitted;
  }

  private void bind(InetAddress address) throws IOException {
    // All loops listen by one address object, so that they share one socket.
    SocketAddress at =
        options.port() == 0
            ? SocketAddress.sharedRandomPort(1, address.getHostAddress())
            : SocketAddress.inetSocketAddress(new InetSocketAddress(address, options.port()));
    long everyMs = TimeoutCheck.everyMs(options);
    for (Loop loop : loops.values()) {
      HttpServer http = VertxConfig.server(vertx, options);
      RequestReceiver receiver = new RequestReceiver(this, loop);
      http.connectionHandler(loop::opened);
      http.requestHandler(receiver::received);
      http.invalidRequestHandler(receiver::malformed);
      await(((HttpServerInternal) http).listen(loop.context(), at));
      port = http.actualPort();
      loop.watch(everyMs);
    }
    loops.keySet().forEach(loop -> isVital(loop, "event loop"));
    transport.listening().forEach(loop -> isVital(loop, "loop that accepts connections"));
    if (relief != null) {
      relief.start();
    }
  }

  private void await(Future<?> listening) throws IOException {
    try {
      listening.toCompletionStage().toCompletableFuture().join();
    } catch (CompletionException e) {
      throw ListenAddress.unbound(options, e.getCause() == null ? e : e.getCause());
    }
  }

  private void drain() {
    draining = true;
    transport.stopListening();
    service.draining();
    CompletableFuture<?>[] all =
        loops.values().stream().map(Loop::drain).toArray(CompletableFuture<?>[]::new);
    CompletableFuture<Void> over = CompletableFuture.allOf(all).thenCompose(gone -> lastFinished());
    try {
      over.get(options.drain().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.log(Level.WARNING, "{0} requests were not answered in time", unfinished.get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits, when no connection can bring a further request, for the exchanges that are left. */
  private CompletableFuture<Void> lastFinished() {
    disconnected = true;
    if (unfinished.get() == 0) {
      finished.complete(null);
    }
    return finished;
  }

  /** Ends the process if the thread of a loop dies: nobody would be answered any more. */
  private void isVital(EventLoop loop, String what) {
    loop.execute(() -> Halt.ifDies(what, Thread.currentThread(), () -> released));
  }

  private void release() {
    released = true;
    try {
      CompletableFuture<Void> loops = vertx.close().toCompletionStage().toCompletableFuture();
      loops.orTimeout(LOOPS_END_SECONDS, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      if (!(e.getCause() instanceof TimeoutException)) {
        throw e;
      }
      LOG.log(Level.WARNING, "an event loop goes on, since a step or a hook holds it");
    }
    threads.close();
    if (relief != null) {
      relief.stop();
    }
  }
}

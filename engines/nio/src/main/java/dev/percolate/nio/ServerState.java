package dev.percolate.nio;

import dev.percolate.engine.Daemon;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Providers;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.Tls;
import dev.percolate.nio.loop.Admission;
import dev.percolate.nio.loop.CarrierScaler;
import dev.percolate.nio.loop.TimeoutCheck;
import dev.percolate.nio.protocol.Protocol;
import dev.percolate.nio.protocol.ServerLimits;
import dev.percolate.nio.protocol.SlotQueue;
import dev.percolate.nio.transport.Handshakes;
import dev.percolate.nio.transport.TlsTransport;
import dev.percolate.nio.transport.Transport;
import dev.percolate.nio.transport.TransportLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The state that all connections of a server share: service, options, limits and counters. */
final class ServerState implements ServerLimits {

  /** The maximum number of files that are read at the same time. */
  private static final int MOST_FILES = 32;

  /** The time without a file after which a thread that reads files ends. */
  private static final Duration IDLE = Duration.ofSeconds(5);

  /** The most connections that may linger beyond two seconds after their last response. */
  static final int MOST_LINGERING = 1000;

  private final Service service;
  private final ListenOptions options;
  private final Admission admission;
  private final @Nullable Protocol protocol;
  private final @Nullable Handshakes handshakes;
  private final @Nullable CarrierScaler carrierScaler;
  private final ThreadPoolExecutor files =
      Daemon.pool("percolate-file", MOST_FILES, new LinkedBlockingQueue<>(), IDLE);
  private final DirectWriter.Pool writers =
      new DirectWriter.Pool(Runtime.getRuntime().availableProcessors());
  private final LongAdder completed = new LongAdder();
  private final AtomicInteger unfinished = new AtomicInteger();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final Semaphore lingering = new Semaphore(MOST_LINGERING);
  private final SlotQueue slots = new SlotQueue(this::free);
  private final CompletableFuture<Void> finished = new CompletableFuture<>();
  private final LoopThreads loopThreads;
  private final TimeoutCheck timeoutCheck;
  private volatile int held;
  private volatile boolean isShuttingDown;
  private volatile boolean draining;
  private volatile boolean disconnected;

  ServerState(
      Service service,
      ListenOptions options,
      LoopThreads loopThreads,
      Supplier<@Nullable Protocol> protocols)
      throws IOException {
    Tls tls = options.tls();
    this.protocol = tls != null || options.http2PriorKnowledge() ? protocols.get() : null;
    if (protocol == null && options.http2PriorKnowledge()) {
      throw new IllegalArgumentException(
          "http2PriorKnowledge(true) needs percolate-http2 on the class path or module path");
    }
    this.handshakes = tls == null ? null : Handshakes.of(tls, spoken(protocol), options);
    this.service = service;
    this.options = options;
    this.admission = new Admission(options);
    this.carrierScaler =
        options.threads() == ThreadMode.VIRTUAL
            ? CarrierScaler.of(() -> unanswered.get() + held, completed::sum)
            : null;
    this.loopThreads = loopThreads;
    this.timeoutCheck = TimeoutCheck.of(options);
  }

  @Override
  public Service service() {
    return service;
  }

  @Override
  public ListenOptions options() {
    return options;
  }

  Admission admission() {
    return admission;
  }

  /** Returns the protocol besides HTTP/1.1; null if there is none. */
  @Nullable Protocol protocol() {
    return protocol;
  }

  /** Returns the names of the protocols over TLS, best first. */
  private static List<String> spoken(@Nullable Protocol protocol) {
    return protocol == null
        ? List.of("http/1.1", "http/1.0")
        : List.of(protocol.name(), "http/1.1", "http/1.0");
  }

  /**
   * Returns the protocol that another module adds; null if no module adds one.
   *
   * @throws IllegalStateException if the protocol cannot be created
   */
  static @Nullable Protocol findProtocol() {
    try {
      return ServiceLoader.load(Protocol.class).findFirst().orElse(null);
    } catch (ServiceConfigurationError e) {
      throw Providers.broken(e);
    }
  }

  /** Returns the TLS handshakes; null if the server does not use TLS. */
  @Nullable Handshakes handshakes() {
    return handshakes;
  }

  /**
   * Creates the layer between a new connection and its socket.
   *
   * @param wake called on the loop when a read that had to wait can continue
   */
  Transport newTransport(SocketChannel channel, TransportLoop loop, Runnable wake) {
    return handshakes == null
        ? new Transport.Plain(channel, loop.memory())
        : new TlsTransport(channel, loop, handshakes, wake);
  }

  /** Returns how often connections are checked. */
  TimeoutCheck timeoutCheck() {
    return timeoutCheck;
  }

  /** Closes a connection that belongs to no event loop, and stops counting it. */
  void left(InetAddress peer, SocketChannel channel) {
    admission.left(peer);
    close(channel);
  }

  /** Closes a connection. May be called on any thread. */
  void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // it is closed anyway
    }
  }

  /** Returns true if handlers can block event loops: they run there, or on the same carriers. */
  boolean stepsHoldLoops() {
    return options.threads() == ThreadMode.EVENT_LOOP || loopThreads == LoopThreads.VIRTUAL;
  }

  /** Records the number of blocked event loops. */
  void held(int loops) {
    held = loops;
    if (loops > 0 && carrierScaler != null) {
      carrierScaler.wake();
    }
  }

  /** Returns the writers of responses on threads other than the loops'. */
  DirectWriter.Pool writers() {
    return writers;
  }

  @Override
  public Executor files() {
    return files;
  }

  void start() {
    if (carrierScaler != null) {
      carrierScaler.start();
    }
  }

  @Override
  public boolean isShuttingDown() {
    return isShuttingDown;
  }

  @Override
  public boolean draining() {
    return draining;
  }

  /** Announces the shutdown in responses from now on, and waits until accepting must stop. */
  void announce() {
    isShuttingDown = true;
    try {
      Thread.sleep(options.shutdownDelay().toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // end the phase early
    }
  }

  /** Closes idle connections from now on. */
  void drain() {
    draining = true;
  }

  @Override
  public boolean isFull() {
    return unfinished.get() >= options.maxConcurrentRequests();
  }

  @Override
  public int unfinished() {
    return unfinished.get();
  }

  private int free() {
    return options.maxConcurrentRequests() - unfinished.get();
  }

  @Override
  public SlotQueue slots() {
    return slots;
  }

  @Override
  public void began() {
    unfinished.incrementAndGet();
  }

  @Override
  public boolean stepping() {
    if (carrierScaler == null) {
      return false;
    }
    unanswered.incrementAndGet();
    carrierScaler.wake();
    return true;
  }

  @Override
  public void answered() {
    unanswered.decrementAndGet();
  }

  @Override
  public void finished() {
    if (carrierScaler != null) {
      completed.increment();
    }
    if (unfinished.decrementAndGet() == 0 && disconnected) {
      finished.complete(null);
    }
    slots.give();
  }

  /**
   * Returns a future that completes when all exchanges have ended. Called after the last connection
   * has closed.
   */
  CompletableFuture<Void> lastFinished() {
    disconnected = true;
    if (unfinished.get() == 0) {
      finished.complete(null);
    }
    return finished;
  }

  /** Counts a connection that lingers beyond two seconds; returns false if there are too many. */
  boolean beginLingering() {
    return lingering.tryAcquire();
  }

  /** Stops counting such a connection. */
  void endLingering() {
    lingering.release();
  }

  void close() {
    files.shutdown();
    if (handshakes != null) {
      handshakes.close();
    }
    if (carrierScaler != null) {
      carrierScaler.stop();
    }
  }
}

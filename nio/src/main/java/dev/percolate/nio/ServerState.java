package dev.percolate.nio;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Providers;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.Tls;
import dev.percolate.engine.loop.Admission;
import dev.percolate.engine.loop.CarrierScaler;
import dev.percolate.engine.loop.DaemonThreads;
import dev.percolate.engine.loop.Departure;
import dev.percolate.engine.loop.TimeoutCheck;
import dev.percolate.nio.protocol.Protocol;
import dev.percolate.nio.protocol.Requests;
import dev.percolate.nio.wire.Handshakes;
import dev.percolate.nio.wire.TlsWire;
import dev.percolate.nio.wire.Wire;
import dev.percolate.nio.wire.WireLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What all connections of a server share: whom they serve, how, and how much is under way. */
final class ServerState implements Requests {

  /** How many files are read at once; each waits for a disk, not for its client. */
  private static final int MOST_FILES = 32;

  /** The most connections that may linger beyond two seconds after their last response. */
  static final int MOST_LINGERING = 1000;

  private final Service service;
  private final ListenOptions options;
  private final Admission admission;
  private final @Nullable Protocol protocol;
  private final @Nullable Handshakes handshakes;
  private final @Nullable CarrierScaler relief;
  private final ThreadPoolExecutor files =
      DaemonThreads.pool("percolate-file-", MOST_FILES, new LinkedBlockingQueue<>());
  private final DirectWriter.Pool writers =
      new DirectWriter.Pool(Runtime.getRuntime().availableProcessors());
  private final LongAdder completed = new LongAdder();
  private final AtomicInteger unfinished = new AtomicInteger();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final AtomicInteger lingering = new AtomicInteger();
  private final Turns turns = new Turns(this::free);
  private final CompletableFuture<Void> finished = new CompletableFuture<>();
  private final Departure departure = new Departure();
  private final LoopThreads loopThreads;
  private final TimeoutCheck timeoutCheck;
  private volatile int held;
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
          "http2PriorKnowledge(true): needs percolate-http2, which is not there");
    }
    this.handshakes = tls == null ? null : Handshakes.of(tls, spoken(protocol), options);
    this.service = service;
    this.options = options;
    this.admission = new Admission(options);
    this.relief =
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

  /** Returns what connections can speak besides HTTP/1.1; null if nothing. */
  @Nullable Protocol protocol() {
    return protocol;
  }

  /** Returns the names of what is spoken over TLS, the best first. */
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

  /** Returns the handshakes of connections with TLS; null if they have none. */
  @Nullable Handshakes handshakes() {
    return handshakes;
  }

  /**
   * Creates what stands between a new connection and its socket.
   *
   * @param wake is called on the loop when there is something to be read that had to wait
   */
  Wire wire(SocketChannel channel, WireLoop loop, Runnable wake) {
    return handshakes == null
        ? new Wire.Plain(channel, loop.memory())
        : new TlsWire(channel, loop, handshakes, wake);
  }

  /** Returns how often connections are looked at. */
  TimeoutCheck timeoutCheck() {
    return timeoutCheck;
  }

  /** Closes a connection that no loop has, and notes that its client has left. */
  void left(InetAddress peer, SocketChannel channel) {
    admission.left(peer);
    close(channel);
  }

  /** Closes a connection; from any thread. */
  void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // it is gone all the same
    }
  }

  /** Tells whether steps may keep loops from going round: they run there, or on their carriers. */
  boolean stepsHoldLoops() {
    return options.threads() == ThreadMode.EVENT_LOOP || loopThreads == LoopThreads.VIRTUAL;
  }

  /** Notes how many loops do not go round. */
  void held(int loops) {
    held = loops;
    if (loops > 0 && relief != null) {
      relief.wake();
    }
  }

  /** Returns what writes answers from the threads that give them. */
  DirectWriter.Pool writers() {
    return writers;
  }

  @Override
  public Executor files() {
    return files;
  }

  void start() {
    if (relief != null) {
      relief.start();
    }
  }

  @Override
  public boolean leaving() {
    return departure.hasBegun();
  }

  @Override
  public boolean draining() {
    return draining;
  }

  /** Has answers say from now on that they are the last; returns when accepting is to end. */
  void announce() {
    departure.announce(options);
  }

  /** Has idle connections closed from now on. */
  void drain() {
    draining = true;
  }

  @Override
  public boolean isFull() {
    return unfinished.get() >= options.maxRequests();
  }

  @Override
  public int unfinished() {
    return unfinished.get();
  }

  private int free() {
    return options.maxRequests() - unfinished.get();
  }

  @Override
  public int left() {
    return turns.left();
  }

  @Override
  public void awaitPlace(Runnable turn) {
    turns.await(turn);
  }

  @Override
  public void turnOver() {
    turns.over();
  }

  @Override
  public void began() {
    unfinished.incrementAndGet();
  }

  @Override
  public boolean stepping() {
    if (relief == null) {
      return false;
    }
    unanswered.incrementAndGet();
    relief.wake();
    return true;
  }

  @Override
  public void answered() {
    unanswered.decrementAndGet();
  }

  @Override
  public void finished() {
    if (relief != null) {
      completed.increment();
    }
    if (unfinished.decrementAndGet() == 0 && disconnected) {
      finished.complete(null);
    }
    turns.give();
  }

  /** Waits, when no connection can bring a further request, for the exchanges that are left. */
  CompletableFuture<Void> lastFinished() {
    disconnected = true;
    if (unfinished.get() == 0) {
      finished.complete(null);
    }
    return finished;
  }

  /** Counts a connection that lingers beyond two seconds; returns false if there are too many. */
  boolean beginLingering() {
    if (lingering.incrementAndGet() <= MOST_LINGERING) {
      return true;
    }
    lingering.decrementAndGet();
    return false;
  }

  /** Stops counting such a connection. */
  void endLingering() {
    lingering.decrementAndGet();
  }

  void close() {
    files.shutdown();
    if (handshakes != null) {
      handshakes.close();
    }
    if (relief != null) {
      relief.stop();
    }
  }
}

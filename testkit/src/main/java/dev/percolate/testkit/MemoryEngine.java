package dev.percolate.testkit;

import dev.percolate.engine.HeadGuard;
import dev.percolate.engine.Service;
import dev.percolate.engine.Threads;
import dev.percolate.engine.Turn;
import dev.percolate.engine.VirtualThreads;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Plays services without a socket: the whole chain, in the thread mode of a real engine.
 *
 * <p>As in a real one, a single thread, the loop, moves what clients and services send; it must not
 * block. In the mode {@link Threads#EVENT_LOOP} the steps run on it too. Bodies wait in bounded
 * buffers in both directions. An answer against the rules (a body after HEAD, 204 or 304, more or
 * less bytes than its {@code Content-Length}, a second start) is refused by an {@link
 * IllegalStateException}, and the client sees the connection closed.
 *
 * <p>Engines are found by {@link java.util.ServiceLoader}; this one is not, it is only made.
 */
public final class MemoryEngine implements AutoCloseable {

  private static final int POOL_SIZE = 16;

  private final Threads threads;
  private final Set<MemoryExchange> open = ConcurrentHashMap.newKeySet();
  private final ExecutorService loop;
  private final @Nullable ExecutorService pool;
  private final Executor steps;
  private volatile @Nullable Thread loopThread;

  /** The engine that calls use if they are given none; its threads do not keep the JVM alive. */
  private static final class Shared {

    static final MemoryEngine ENGINE = new MemoryEngine();

    private Shared() {}
  }

  /** Makes an engine in the default mode of this JDK. */
  public MemoryEngine() {
    this(Threads.ofThisJdk());
  }

  /**
   * Makes an engine.
   *
   * @param threads where steps run
   * @throws IllegalStateException for {@link Threads#VIRTUAL} on a JDK before 21
   */
  public MemoryEngine(Threads threads) {
    this.threads = threads;
    this.loop = executor(1, this::loopThread);
    this.pool =
        threads == Threads.POOL ? executor(POOL_SIZE, task -> thread(task, "memory-pool")) : null;
    this.steps = steps();
  }

  /**
   * Gives the thread mode.
   *
   * @return where steps run
   */
  public Threads threads() {
    return threads;
  }

  /**
   * Gives a client of a service.
   *
   * @param service answers its calls
   * @return the client
   */
  public Client client(Service service) {
    return new MemoryClient(this, service);
  }

  /**
   * Shows a service a request that is refused before it enters the chain, as a malformed one is.
   *
   * @param service the service
   * @param call the request as far as it could be read
   * @param status the status of the engine's own answer
   */
  public void refuse(Service service, Call call, int status) {
    MemoryTalk talk = new MemoryTalk(this, service, call, null);
    talk.refused(status, HeadGuard.answer(status));
    talk.reply();
    talk.settle();
  }

  /** Hangs up what is open, and ends the engine's threads. */
  @Override
  public void close() {
    open.forEach(exchange -> loop.execute(exchange::hangUp));
    loop.shutdown();
    if (pool != null) {
      pool.shutdown();
    }
  }

  /** Gives the engine for calls that name none; it is never closed. */
  static MemoryEngine shared() {
    return Shared.ENGINE;
  }

  /** Runs something on the loop; after the engine's end, never. */
  void onLoop(Runnable task) {
    loop.execute(task);
  }

  boolean mayBlock() {
    return Thread.currentThread() != loopThread;
  }

  Turn turn() {
    return new Turn(steps, threads.parks());
  }

  void opened(MemoryExchange exchange) {
    open.add(exchange);
  }

  void over(MemoryExchange exchange) {
    open.remove(exchange);
  }

  private Executor steps() {
    if (threads == Threads.VIRTUAL) {
      return VirtualThreads.executor("memory-virtual-");
    }
    return pool == null ? loop : pool;
  }

  private Thread loopThread(Runnable task) {
    Thread thread = thread(task, "memory-loop");
    loopThread = thread;
    return thread;
  }

  private static Thread thread(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  private static ExecutorService executor(int size, ThreadFactory factory) {
    return new ThreadPoolExecutor(
        size,
        size,
        0,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        factory,
        new ThreadPoolExecutor.DiscardPolicy());
  }
}

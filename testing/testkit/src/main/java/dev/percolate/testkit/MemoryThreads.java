package dev.percolate.testkit;

import dev.percolate.engine.SerialExecutor;
import dev.percolate.engine.ThreadMode;
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

/** The threads of an in-memory engine, and the exchanges that are open on them. */
final class MemoryThreads {

  private static final int POOL_SIZE = 16;

  private final ThreadMode threads;
  private final Set<MemoryExchange> open = ConcurrentHashMap.newKeySet();
  private final ExecutorService loop;
  private final @Nullable ExecutorService pool;
  private final Executor steps;
  private volatile @Nullable Thread loopThread;

  /** The threads of calls without an engine. They are daemon threads. */
  private static final class Shared {

    static final MemoryThreads THREADS = new MemoryThreads(ThreadMode.ofThisJdk());

    private Shared() {}
  }

  MemoryThreads(ThreadMode threads) {
    this.threads = threads;
    this.loop = executor(1, this::loopThread);
    this.pool =
        threads == ThreadMode.POOL
            ? executor(POOL_SIZE, task -> thread(task, "memory-pool"))
            : null;
    this.steps = steps();
  }

  /** Returns the threads for calls without an engine. They are never closed. */
  static MemoryThreads shared() {
    return Shared.THREADS;
  }

  /** Returns the mode of the threads that run handlers. */
  ThreadMode mode() {
    return threads;
  }

  /** Runs a task on the event loop. Does nothing if the engine is closed. */
  void onLoop(Runnable task) {
    loop.execute(task);
  }

  boolean mayBlock() {
    return Thread.currentThread() != loopThread;
  }

  SerialExecutor turn() {
    return new SerialExecutor(steps, threads.parks());
  }

  void opened(MemoryExchange exchange) {
    open.add(exchange);
  }

  void over(MemoryExchange exchange) {
    open.remove(exchange);
  }

  /** Closes open connections and ends the threads. */
  void close() {
    open.forEach(exchange -> loop.execute(exchange::disconnect));
    loop.shutdown();
    if (pool != null) {
      pool.shutdown();
    }
  }

  private Executor steps() {
    if (threads == ThreadMode.VIRTUAL) {
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

package dev.percolate.engine;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Creates virtual threads on JDK 21 and later. This class also runs on JDK 17. */
public final class VirtualThreads {

  private static final int IDLE_SECONDS = 10;
  private static final boolean AVAILABLE = Runtime.version().feature() >= 21;

  private static final @Nullable MethodHandle IS_VIRTUAL = AVAILABLE ? isVirtual() : null;

  private VirtualThreads() {}

  /** Returns true if this JDK has virtual threads. */
  public static boolean available() {
    return AVAILABLE;
  }

  /** Returns true if the calling thread is virtual. */
  public static boolean isCurrent() {
    MethodHandle isVirtual = IS_VIRTUAL;
    try {
      return isVirtual != null && (boolean) isVirtual.invokeExact(Thread.currentThread());
    } catch (Throwable e) {
      throw new IllegalStateException("Thread.isVirtual failed", e);
    }
  }

  /**
   * Returns a factory of unstarted virtual threads.
   *
   * @param prefix the prefix of thread names, followed by a number; null for no names
   * @throws IllegalStateException on a JDK before 21
   */
  public static ThreadFactory factory(@Nullable String prefix) {
    if (!AVAILABLE) {
      throw new IllegalStateException(
          "virtual threads need JDK 21 or later, but this is " + Runtime.version().feature());
    }
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      Class<?> api = Class.forName("java.lang.Thread$Builder");
      if (prefix != null) {
        Method name = api.getMethod("name", String.class, long.class);
        builder = name.invoke(builder, prefix, 0L);
      }
      return (ThreadFactory) api.getMethod("factory").invoke(builder);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot create a factory of virtual threads", e);
    }
  }

  /**
   * Creates an executor for blocking tasks. Each task runs on a virtual thread, or on JDK 17 on a
   * daemon thread that ends after 10 s without a task. The executor need not be closed.
   *
   * @param prefix the prefix of thread names
   */
  public static Executor blockingExecutor(String prefix) {
    return AVAILABLE
        ? executor(prefix)
        : new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> Daemon.thread(task, prefix));
  }

  /**
   * Creates an executor that starts a virtual thread for each task. It is the JDK's own, which
   * tracing agents instrument. The executor need not be closed.
   *
   * @param prefix the prefix of thread names, followed by a number; null for no names
   * @throws IllegalStateException on a JDK before 21
   */
  public static ExecutorService executor(@Nullable String prefix) {
    ThreadFactory factory = factory(prefix);
    try {
      Method create = Executors.class.getMethod("newThreadPerTaskExecutor", ThreadFactory.class);
      return (ExecutorService) create.invoke(null, factory);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot create an executor of virtual threads", e);
    }
  }

  /**
   * Runs a part of a long computation fairly. On virtual threads, at most one part for each
   * processor runs at the same time, in order of arrival, and other virtual threads run first.
   *
   * <p>The JDK does not preempt virtual threads, so a hundred long computations block all other
   * virtual threads. Divide the computation into parts of a few milliseconds, and run each part
   * with this method. A part must not block, for example for a lock or for bytes, except in {@link
   * #runBlocking}. Nested calls belong to the outer part. On platform threads, the part runs
   * immediately.
   *
   * @param piece the part; its exceptions are passed on
   */
  public static void runFairly(Runnable piece) {
    if (isCurrent() && ComputeQueue.begin()) {
      try {
        piece.run();
      } finally {
        ComputeQueue.end();
      }
    } else {
      piece.run();
    }
  }

  /**
   * Runs an operation that blocks. If the calling thread is in a part of {@link #runFairly}, other
   * parts may run during the operation, which may wait for one of them. Afterwards the part
   * continues in order of arrival.
   *
   * @param wait the operation; its exceptions are passed on
   */
  public static void runBlocking(Runnable wait) {
    boolean left = isCurrent() && ComputeQueue.leave();
    try {
      wait.run();
    } finally {
      if (left) {
        boolean ignored = ComputeQueue.begin();
      }
    }
  }

  private static MethodHandle isVirtual() {
    try {
      MethodType type = MethodType.methodType(boolean.class);
      return MethodHandles.publicLookup().findVirtual(Thread.class, "isVirtual", type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}

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

/**
 * Creates virtual threads where the JDK has them (21 and later), from bytecode that runs on 17 too.
 */
public final class VirtualThreads {

  private static final int IDLE_SECONDS = 10;
  private static final boolean AVAILABLE = Runtime.version().feature() >= 21;

  private static final @Nullable MethodHandle IS_VIRTUAL = AVAILABLE ? isVirtual() : null;

  private VirtualThreads() {}

  /** Tells whether this JDK has virtual threads. */
  public static boolean available() {
    return AVAILABLE;
  }

  /** Tells whether the calling thread is virtual. */
  public static boolean isCurrent() {
    MethodHandle isVirtual = IS_VIRTUAL;
    try {
      return isVirtual != null && (boolean) isVirtual.invokeExact(Thread.currentThread());
    } catch (Throwable e) {
      throw new IllegalStateException("a thread that does not tell what it is", e);
    }
  }

  /**
   * Returns a factory of virtual threads, which are not started yet.
   *
   * @param prefix what the threads' names begin with, a running number follows; null for none
   * @throws IllegalStateException on a JDK before 21
   */
  public static ThreadFactory factory(@Nullable String prefix) {
    if (!AVAILABLE) {
      throw new IllegalStateException(
          "virtual threads need JDK 21 or later, this is " + Runtime.version().feature());
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
      throw new IllegalStateException("no factory of virtual threads", e);
    }
  }

  /**
   * Creates an executor whose tasks may wait: each gets a virtual thread, or on a JDK before 21 a
   * daemon thread, which ends after 10 s without a task. It need not be closed.
   *
   * @param prefix what the threads' names begin with
   */
  public static Executor waiting(String prefix) {
    return AVAILABLE
        ? executor(prefix)
        : new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> {
              Thread thread = new Thread(task, prefix);
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Creates an executor that gives each task a virtual thread of its own, as the JDK's own does:
   * agents that follow a request from thread to thread know that one, and see no thread started
   * without it. It need not be closed.
   *
   * @param prefix what the threads' names begin with, a running number follows; null for none
   * @throws IllegalStateException on a JDK before 21
   */
  public static ExecutorService executor(@Nullable String prefix) {
    ThreadFactory factory = factory(prefix);
    try {
      Method create = Executors.class.getMethod("newThreadPerTaskExecutor", ThreadFactory.class);
      return (ExecutorService) create.invoke(null, factory);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no executor of virtual threads", e);
    }
  }

  /**
   * Runs a piece of work that computes, when its turn comes: on virtual threads only as many at
   * once as there are processors, in the order in which they come. Whatever else virtual threads
   * have to do goes first.
   *
   * <p>The JDK takes a processor from no virtual thread that computes, so a hundred of them keep
   * all others waiting until they are done. Who divides his work into pieces that take some
   * milliseconds at most, and runs each by this method, keeps nobody waiting for longer. A piece
   * must not wait itself, for a lock or for bytes, except by {@link #outOfTurn}, as others wait for
   * it. One within another belongs to it. Threads of the system take turns anyway, and an event
   * loop must not wait: there a piece just runs.
   *
   * @param piece the piece; what it throws is passed on
   */
  public static void inTurn(Runnable piece) {
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
   * Runs what waits. If the calling thread is within a piece of {@link #inTurn}, others have their
   * turn meanwhile, and the piece continues when its turn comes again. Otherwise, what others need
   * to end the wait might wait for this piece.
   *
   * @param wait what waits; its exceptions are passed on
   */
  public static void outOfTurn(Runnable wait) {
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

package dev.percolate.engine;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Closes resources when the process ends, in this order: all servers at the same time, then
 * applications, then log sinks. Applications and log sinks are closed in reverse order of creation.
 * If closing one fails, even with an {@link Error}, the failure is logged and the others are still
 * closed.
 *
 * <p>There is one shutdown hook for the process, since the JDK runs hooks in no particular order. A
 * second signal ends the process immediately.
 */
public final class Shutdown {

  private static final System.Logger LOG = System.getLogger("dev.percolate");
  private static final Map<Stage, Deque<AutoCloseable>> OPEN = new EnumMap<>(Stage.class);
  private static boolean hooked;

  /** The stages of shutdown. */
  public enum Stage {
    /** First: servers. */
    SERVERS,
    /** Second: applications. */
    APPLICATIONS,
    /** Last: log sinks. */
    LOG_SINKS
  }

  private Shutdown() {}

  /**
   * Adds a resource to close when the process ends.
   *
   * @param stage the stage in which to close it
   * @param open the resource, which may be closed twice
   */
  public static void add(Stage stage, AutoCloseable open) {
    synchronized (OPEN) {
      if (!hooked) {
        SecondSignal.load();
        Runtime.getRuntime().addShutdownHook(new Thread(Shutdown::run, "percolate-shutdown"));
        hooked = true;
      }
      OPEN.computeIfAbsent(stage, any -> new ArrayDeque<>()).push(open);
    }
  }

  /**
   * Removes a resource that has been closed.
   *
   * @param stage the stage that it was added to
   * @param closed the resource
   */
  public static void remove(Stage stage, AutoCloseable closed) {
    synchronized (OPEN) {
      Deque<AutoCloseable> open = OPEN.get(stage);
      if (open != null) {
        open.removeIf(one -> one == closed);
      }
    }
  }

  /**
   * Returns the resources of a stage that have not been closed, the last one first.
   *
   * @param stage the stage
   */
  public static List<AutoCloseable> open(Stage stage) {
    synchronized (OPEN) {
      return List.copyOf(OPEN.getOrDefault(stage, new ArrayDeque<>()));
    }
  }

  private static void run() {
    SecondSignal.await();
    open(Stage.SERVERS).stream().map(Shutdown::closeElsewhere).toList().forEach(Shutdown::join);
    open(Stage.APPLICATIONS).forEach(Shutdown::close);
    open(Stage.LOG_SINKS).forEach(Shutdown::close);
  }

  /** Closes a resource on a new thread, or on this thread if no thread can be created. */
  private static Thread closeElsewhere(AutoCloseable open) {
    Thread thread = new Thread(() -> close(open), "percolate-drain");
    try {
      thread.start();
    } catch (OutOfMemoryError noThread) {
      close(open);
    }
    return thread;
  }

  /** Closes a resource and logs a failure. Never throws. */
  private static void close(AutoCloseable open) {
    try {
      open.close();
    } catch (Throwable e) {
      failed(open, e);
    }
  }

  private static void failed(AutoCloseable open, Throwable cause) {
    try {
      LOG.log(Level.ERROR, "closing " + open + " failed", cause);
    } catch (Throwable e) {
      // logging or toString fails too; the rest must still be closed
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

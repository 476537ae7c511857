package dev.percolate.engine;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Ends what is open when the process is asked to end, in this order: servers, at the same time;
 * then applications; then log sinks. Within applications and sinks, the last that was opened goes
 * first. If closing one of them fails, even with an {@link Error}, that is logged and the others
 * are still closed.
 *
 * <p>There is one hook for the whole process, since hooks of the JDK run in no order. A second
 * signal ends the process at once.
 */
public final class Shutdown {

  private static final System.Logger LOG = System.getLogger("dev.percolate");
  private static final Map<Stage, Deque<AutoCloseable>> OPEN = new EnumMap<>(Stage.class);
  private static boolean hooked;

  /** When something is ended. */
  public enum Stage {
    /** First: what receives requests. */
    SERVERS,
    /** Then: what served them. */
    APPLICATIONS,
    /** Last: what tells of all this. */
    LOG_SINKS
  }

  private Shutdown() {}

  /**
   * Notes something to be closed at the end of the process.
   *
   * @param stage when
   * @param open what; it must bear to be closed twice
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
   * Forgets something that has been closed.
   *
   * @param stage the stage it was added to
   * @param closed what
   */
  public static void remove(Stage stage, AutoCloseable closed) {
    synchronized (OPEN) {
      Deque<AutoCloseable> open = OPEN.get(stage);
      if (open != null) {
        open.removeIf(one -> one == closed);
      }
    }
  }

  private static void run() {
    SecondSignal.await();
    open(Stage.SERVERS).stream().map(Shutdown::closeElsewhere).toList().forEach(Shutdown::join);
    open(Stage.APPLICATIONS).forEach(Shutdown::close);
    open(Stage.LOG_SINKS).forEach(Shutdown::close);
  }

  /** Closes something on its own thread, or on this one if no thread can be created. */
  private static Thread closeElsewhere(AutoCloseable open) {
    Thread thread = new Thread(() -> close(open), "percolate-drain");
    try {
      thread.start();
    } catch (OutOfMemoryError noThread) {
      close(open);
    }
    return thread;
  }

  private static List<AutoCloseable> open(Stage stage) {
    synchronized (OPEN) {
      return List.copyOf(OPEN.getOrDefault(stage, new ArrayDeque<>()));
    }
  }

  /** Closes something. Logs a failure. Never throws. */
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
      // the log or toString fails too; the rest must still be closed
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

package dev.percolate.engine;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends the process at once when a thread that all others depend on has died: a process that is
 * there, but answers nothing, is not started anew by those who watch it.
 *
 * <p>Such threads are event loops, what accepts connections, what writes log lines, and what ends
 * the process in order. They die of an {@link Error} only, mostly because memory is short, of which
 * some is kept here for that time. No hook runs. The status is {@value #STATUS}, that of {@code
 * -XX:+ExitOnOutOfMemoryError}.
 */
public final class Halt {

  /** The status that the process ends with. */
  public static final int STATUS = 3;

  private static final int RESERVED = 256 << 10;

  /** Memory to end with: classes may have to be loaded for it. */
  @SuppressWarnings("UnusedVariable") // it is there to be let go
  private static volatile byte @Nullable [] reserve = new byte[RESERVED];

  private Halt() {}

  private record Watched(String what, Thread thread, BooleanSupplier meant) {

    boolean isOver() {
      return !thread.isAlive();
    }

    /** Tells that its end was asked for; if not, the process does. */
    boolean wasMeant() {
      if (!meant.getAsBoolean()) {
        now(what, null);
      }
      return true;
    }
  }

  /** Looks once a second who still lives; begun with the first. */
  private static final class Watch {

    private static final long EVERY_MS = 1000;
    private static final List<Watched> ALL = new CopyOnWriteArrayList<>();

    static {
      Thread thread = new Thread(onError("watch", Watch::look), "percolate-watch");
      thread.setDaemon(true);
      thread.start();
    }

    static void over(Watched one) {
      ALL.add(one);
    }

    private static void look() {
      while (true) {
        ALL.removeIf(one -> one.isOver() && one.wasMeant());
        try {
          Thread.sleep(EVERY_MS);
        } catch (InterruptedException e) {
          return; // nobody does
        }
      }
    }
  }

  /**
   * Returns a task that runs another one, and ends the process if that dies of an error.
   *
   * @param thread what it is, such as {@code log writer}, for the message
   * @param task the task
   */
  public static Runnable onError(String thread, Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (Error e) {
        now(thread, e);
      }
    };
  }

  /**
   * Ends the process if a thread dies whose task is not ours to wrap.
   *
   * @param what what it is, for the message
   * @param thread the thread, which has begun
   * @param meant tells whether its end has been asked for
   */
  public static void ifDies(String what, Thread thread, BooleanSupplier meant) {
    Watch.over(new Watched(what, thread, meant));
  }

  /**
   * Ends the process, with a line on standard error.
   *
   * @param thread what has died
   * @param cause of what; null if that has been reported
   */
  public static void now(String thread, @Nullable Throwable cause) {
    reserve = null;
    try {
      String line = "percolate: the " + thread + " has died, the process ends: " + cause + "\n";
      byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
      new FileOutputStream(FileDescriptor.err).write(bytes); // not closed: it is not ours
    } catch (IOException | Error e) {
      // nobody listens, or there is no memory for a line
    }
    while (true) { // it comes back only if memory has failed once more
      try {
        Runtime.getRuntime().halt(STATUS);
      } catch (OutOfMemoryError e) {
        Thread.onSpinWait();
      }
    }
  }
}

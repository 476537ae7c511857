package dev.percolate.inspector.reload;

import dev.percolate.core.JsonCodec;
import dev.percolate.engine.CallSite;
import dev.percolate.engine.Callbacks;
import dev.percolate.engine.Shutdown;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Releases resources that an ended version of an application has left open. */
final class Leftovers {

  /** How long threads have to end, after the actions that end them have run. */
  private static final long THREADS_MILLIS = 500;

  /** Applications and log sinks. Other modules register what belongs to the process. */
  private static final Set<String> PER_APPLICATION =
      Set.of("dev.percolate.framework", "dev.percolate.logger");

  private Leftovers() {}

  /** Returns the applications, then the log sinks, that would be closed if the process ended. */
  static List<AutoCloseable> open() {
    List<AutoCloseable> open = new ArrayList<>(Shutdown.open(Shutdown.Stage.APPLICATIONS));
    open.addAll(Shutdown.open(Shutdown.Stage.LOG_SINKS));
    open.removeIf(one -> !PER_APPLICATION.contains(one.getClass().getPackageName()));
    return open;
  }

  /** Closes applications that never had a server, and log sinks. Closing twice has no effect. */
  static void close(List<AutoCloseable> open) {
    for (AutoCloseable one : open) {
      try {
        one.close();
      } catch (Exception e) {
        Callbacks.failed("closing " + one, e);
      }
    }
  }

  /**
   * Interrupts threads that run code of a class loader, and reports those that do not end. Removes
   * the loader from the others.
   */
  static void endThreads(AppLoader loader, Consumer<String> console) throws InterruptedException {
    List<Thread> left = new ArrayList<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getContextClassLoader() == loader && thread != Thread.currentThread()) {
        left.add(thread);
        if (runsCodeOf(loader, thread)) {
          thread.interrupt();
        }
      }
    }
    long end = System.nanoTime() + THREADS_MILLIS * 1_000_000;
    for (Thread thread : left) {
      // Threads of libraries may belong to the process.
      boolean own = !thread.isDaemon() || runsCodeOf(loader, thread);
      if (own) {
        thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
      }
      if (thread.isAlive()) {
        thread.setContextClassLoader(loader.getParent());
        if (own) {
          report(thread, console);
        }
      }
    }
  }

  private static boolean runsCodeOf(AppLoader loader, Thread thread) {
    return Stream.of(thread.getStackTrace())
        .anyMatch(frame -> loader.hasLoaded(frame.getClassName()));
  }

  private static void report(Thread thread, Consumer<String> console) {
    console.accept(
        "thread \""
            + thread.getName()
            + "\" of the previous version still runs, "
            + CallSite.of(thread.getStackTrace())
            + "; end it in app.onClose");
  }

  /** Removes the types of ended applications from the caches of the JSON codec. */
  static void clearCaches() {
    try {
      JsonCodec.find().clearCaches();
    } catch (IllegalStateException e) {
      // the application uses no JSON
    }
  }

  /** Deletes a folder with all files. */
  static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package dev.percolate.engine;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ends the process after a failure that leaves a port open but not served ({@link
 * FatalErrorPolicy#END_PROCESS}).
 *
 * <p>Shutdown hooks do not run. Such failures mostly come from a lack of memory, so some memory is
 * reserved here for the last log line. The exit status is {@value #STATUS}, as with {@code
 * -XX:+ExitOnOutOfMemoryError}.
 */
public final class FatalErrorHandler {

  /** The exit status of a process that ends after a fatal error. */
  public static final int STATUS = 3;

  private static final int RESERVED = 256 << 10;

  /** Memory for ending the process, which may have to load classes. */
  @SuppressWarnings("UnusedVariable") // it exists to be released
  private static volatile byte @Nullable [] reserve = new byte[RESERVED];

  private static volatile boolean hosted;

  private FatalErrorHandler() {}

  /** Reserves memory, and loads the classes that log failures, while memory and files suffice. */
  public static void prepare() {
    Objects.requireNonNull(SafeLog.class);
  }

  /**
   * Declares that the process belongs to a host, such as a servlet container. From then on nothing
   * in this library ends it, even if {@link ListenOptions#onFatalError} is {@link
   * FatalErrorPolicy#END_PROCESS}.
   */
  public static void processIsHosted() {
    hosted = true;
  }

  /** Returns true if the process belongs to a host and must not be ended. */
  public static boolean isProcessHosted() {
    return hosted;
  }

  /**
   * Ends the process at once, with a line on standard error. Never returns.
   *
   * @param failed what failed, such as {@code event loop 2}
   * @param cause the reason; null if it has been logged
   */
  public static void endProcess(String failed, @Nullable Throwable cause) {
    reserve = null;
    try {
      String line = "percolate: the " + failed + " has died, the process ends: " + cause + "\n";
      byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
      new FileOutputStream(FileDescriptor.err).write(bytes); // not closed: it is not ours
    } catch (IOException | Error e) {
      // standard error is closed, or there is no memory for a line
    }
    while (true) { // halt returns only if memory fails again
      try {
        Runtime.getRuntime().halt(STATUS);
      } catch (OutOfMemoryError e) {
        Thread.onSpinWait();
      }
    }
  }
}

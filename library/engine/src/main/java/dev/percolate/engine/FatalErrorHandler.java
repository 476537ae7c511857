package dev.percolate.engine;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ends the process after an error that leaves a port open but not served ({@link
 * FatalErrorPolicy#END_PROCESS}).
 *
 * <p>Shutdown hooks do not run. Most such errors are caused by a lack of memory, so some memory is
 * reserved here for the last log line. The exit status is {@value #STATUS}, as with {@code
 * -XX:+ExitOnOutOfMemoryError}.
 */
public final class FatalErrorHandler {

  /** The exit status of a process that ends after a fatal error. */
  public static final int STATUS = 3;

  private static final int RESERVED = 256 << 10;

  /** Memory for ending the process, which may load classes. */
  @SuppressWarnings("UnusedVariable") // kept to be released
  private static volatile byte @Nullable [] reserve = new byte[RESERVED];

  private static volatile boolean hosted;

  private FatalErrorHandler() {}

  /**
   * Reserves memory and loads the classes that log failures, while memory and files are available.
   */
  public static void prepare() {
    Objects.requireNonNull(SafeLog.class);
  }

  /**
   * Declares that the process belongs to a host, such as a servlet container. From then on this
   * library never ends it, even if {@link ListenOptions#onFatalError} is {@link
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
   * Ends the process immediately, with a line on standard error. Never returns.
   *
   * @param failed the thread that failed, such as {@code event loop 2}
   * @param cause the cause; null if it was logged
   */
  public static void endProcess(String failed, @Nullable Throwable cause) {
    reserve = null;
    try {
      String line = "percolate: the " + failed + " failed; ending the process: " + cause + "\n";
      byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
      new FileOutputStream(FileDescriptor.err).write(bytes); // not closed: owned by the JDK
    } catch (IOException | Error e) {
      // standard error is closed, or there is not enough memory
    }
    while (true) { // halt fails only without memory
      try {
        Runtime.getRuntime().halt(STATUS);
      } catch (OutOfMemoryError e) {
        Thread.onSpinWait();
      }
    }
  }
}

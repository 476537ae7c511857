package dev.percolate.engine;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Consumer;

/**
 * Calls hooks and listeners of an application. If one throws, even an {@link Error}, the failure is
 * logged once and the caller continues: other callbacks run, and resources are released.
 *
 * <p>Handlers and middleware are not called this way: their exceptions go to the error handlers.
 */
public final class Callbacks {

  private static final System.Logger LOG = System.getLogger("dev.percolate");

  private Callbacks() {}

  /**
   * Runs a callback. Never throws.
   *
   * @param what the name of the callback for the log, such as {@code a timer task}
   * @param callback the callback
   */
  public static void run(String what, Runnable callback) {
    try {
      callback.run();
    } catch (Throwable thrown) {
      failed(what, thrown);
    }
  }

  /**
   * Runs all callbacks in order. Never throws.
   *
   * @param what the name of each callback for the log, such as {@code a hook of onDrain}
   * @param callbacks the callbacks
   */
  public static void runAll(String what, List<? extends Runnable> callbacks) {
    for (Runnable callback : callbacks) {
      run(what, callback);
    }
  }

  /**
   * Calls a consumer. Never throws.
   *
   * @param what the name of the consumer for the log, such as {@code a subscriber}
   * @param consumer the consumer
   * @param value its argument
   * @param <T> the type of the argument
   */
  public static <T> void accept(String what, Consumer<? super T> consumer, T value) {
    try {
      consumer.accept(value);
    } catch (Throwable thrown) {
      failed(what, thrown);
    }
  }

  /**
   * Logs the failure of a callback that was called directly. Never throws, even if logging fails.
   *
   * @param what the name of the callback for the log, such as {@code a timer task}
   * @param thrown the exception or error
   */
  public static void failed(String what, Throwable thrown) {
    try {
      LOG.log(Level.ERROR, what + " failed", thrown);
    } catch (Throwable unloggable) {
      // Logging fails too, for example without memory; the caller must continue.
    }
  }
}

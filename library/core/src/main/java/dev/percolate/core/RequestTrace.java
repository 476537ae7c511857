package dev.percolate.core;

import org.jspecify.annotations.Nullable;

/**
 * Observes the middleware and handlers of a request and creates its default pages, for developers;
 * see {@link RequestControl#trace}.
 *
 * <p>Each handler is identified by its {@code next}. Implementations must only keep weak references
 * to it, since requests without a response are detected when it becomes unreachable. Methods are
 * called on the serial executor of the request, except {@link #onNext} and {@link #onResume}, which
 * are called on the thread that passes the request on, and {@link #onHang} and {@link #onWarning},
 * which are called on any thread. They must not block. If they throw, the exception is logged and
 * the request continues.
 */
public interface RequestTrace {

  /**
   * Called before a handler.
   *
   * @param next its next
   * @param step the class of the handler
   * @param layer its position in the application, such as {@code layer 3, get /users}
   * @param origin the file and line where it was added; null if unknown
   * @param error the error if it is called as an error handler, else null
   */
  void onStart(
      Next next, Class<?> step, String layer, @Nullable String origin, @Nullable Throwable error);

  /**
   * Called when a handler passes the request on, before the next handler is called.
   *
   * @param next its next
   * @param error the error that it passes on, or null
   */
  void onNext(Next next, @Nullable Throwable error);

  /**
   * Called when the call of the next handler has returned, or has moved to another thread.
   *
   * @param next its next
   */
  void onResume(Next next);

  /**
   * Called when a handler has thrown, before the error is passed on.
   *
   * @param next its next
   * @param thrown the exception or error
   */
  void onThrow(Next next, Throwable thrown);

  /**
   * Called when a handler has returned.
   *
   * @param next its next
   */
  void onReturn(Next next);

  /**
   * Called with the log line of a request logger.
   *
   * @param line the line
   */
  default void onLog(CharSequence line) {}

  /**
   * Called if the request has no response for some time.
   *
   * @param report names the handler that the request waits for, and its source line
   */
  default void onHang(String report) {}

  /**
   * Called if {@link RequestControl#warn} reports an error that the client does not see.
   *
   * @param warning the error, for developers
   */
  default void onWarning(String warning) {}

  /**
   * Creates the page that is sent if no handler responds. May set headers of the response.
   *
   * @param error the error; null if there is none
   * @param status the status code of the response
   * @return the page; null for the default page
   */
  default @Nullable Page page(@Nullable Throwable error, int status) {
    return null;
  }

  /**
   * A page.
   *
   * @param type its content type, with charset UTF-8
   * @param text its text
   */
  record Page(String type, String text) {}
}

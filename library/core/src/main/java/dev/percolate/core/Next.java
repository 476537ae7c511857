package dev.percolate.core;

/**
 * Continues a request with the next middleware or handler.
 *
 * <p>Each call of middleware gets its own {@code next}. Only the first call of one of the three
 * methods has an effect. Further calls are ignored, and reported in development.
 *
 * <p>If middleware calls it within its own call, on the same thread, the method returns after the
 * following handlers have returned. If hundreds of handlers are nested, it returns immediately, and
 * the rest runs after they have returned. On any other thread the method returns immediately. The
 * following handlers then run on the executor of the exchange, after the middleware has returned.
 *
 * <p>Thread locals and other values bound to the thread are available to handlers that run within
 * the call. For others, use a {@link ContextCarrier}.
 */
public interface Next extends Runnable {

  /** Continues with the next matching middleware or handler. */
  @Override
  void run();

  /**
   * Passes an error to the next matching error handler.
   *
   * @param error the error
   */
  void fail(Throwable error);

  /** Skips the other handlers of the route, and continues after the route. */
  void route();
}

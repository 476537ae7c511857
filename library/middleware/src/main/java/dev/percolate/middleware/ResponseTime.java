package dev.percolate.middleware;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * Middleware that adds the response time as a header. The time is measured in milliseconds, from
 * this middleware until the response headers are sent.
 *
 * <p>Responses of error handlers and 404 responses have the header too. A header that is already
 * set is not changed. Each option returns a changed copy:
 *
 * <pre>
 *   digits   3                 the number of decimal places
 *   header   X-Response-Time   the name of the header
 *   suffix   true              whether the value ends with "ms"
 * </pre>
 *
 * <pre>{@code
 * app.use(ResponseTime.of());                         // X-Response-Time: 1.234ms
 * app.use(ResponseTime.of((req, res, millis) -> timer.record(req.routePath(), millis)));
 * }</pre>
 */
@CheckReturnValue
public final class ResponseTime extends Copyable<ResponseTime> implements Middleware {

  private static final int MOST_DIGITS = 20;

  private final @Nullable Listener listener;
  private int digits = 3;
  private String header = "X-Response-Time";
  private boolean suffix = true;

  private ResponseTime(@Nullable Listener listener) {
    this.listener = listener;
  }

  /** Receives response times. */
  @FunctionalInterface
  public interface Listener {

    /**
     * Called immediately before the response headers are sent. It can set headers.
     *
     * @param req the request
     * @param res the response
     * @param millis the response time in milliseconds
     */
    void took(Request req, Response res, double millis);
  }

  /** Creates middleware that adds the header. */
  public static ResponseTime of() {
    return new ResponseTime(null);
  }

  /**
   * Creates middleware that calls a listener and adds no header.
   *
   * @param listener receives the response times
   * @return the middleware
   */
  public static ResponseTime of(Listener listener) {
    return new ResponseTime(listener);
  }

  /**
   * Sets the number of decimal places. Default: 3.
   *
   * @param digits 0 to 20
   * @throws IllegalArgumentException if it is out of range
   */
  public ResponseTime digits(int digits) {
    if (digits < 0 || digits > MOST_DIGITS) {
      throw new IllegalArgumentException("digits must be 0 to 20, was " + digits);
    }
    return with(copy -> copy.digits = digits);
  }

  /**
   * Sets the name of the header. Default: {@code X-Response-Time}.
   *
   * @param name a valid header name
   * @throws IllegalArgumentException if the name is invalid
   */
  public ResponseTime header(String name) {
    return with(copy -> copy.header = Options.headerName("header", name));
  }

  /**
   * Sets whether the value ends with {@code ms}. Default: true.
   *
   * @param suffix false to omit it
   */
  public ResponseTime suffix(boolean suffix) {
    return with(copy -> copy.suffix = suffix);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    long start = System.nanoTime();
    res.onHeaders(() -> tell(req, res, (System.nanoTime() - start) / 1e6));
    next.run();
  }

  private void tell(Request req, Response res, double millis) {
    if (listener != null) {
      listener.took(req, res, millis);
    } else if (res.get(header) == null) {
      BigDecimal rounded = new BigDecimal(millis).setScale(digits, RoundingMode.HALF_UP);
      res.set(header, rounded.toPlainString() + (suffix ? "ms" : ""));
    }
  }
}

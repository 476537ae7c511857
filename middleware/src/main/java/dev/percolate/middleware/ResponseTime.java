package dev.percolate.middleware;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.CheckReturnValue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * Tells clients how long the answer took: from the time a request passes here until its answer
 * starts, in milliseconds.
 *
 * <p>A header that is there already stays. Answers of error handlers, and those of nobody, have it
 * too. It is its own options; each gives a changed copy:
 *
 * <pre>
 *   digits   3                 how many stand behind the decimal point
 *   header   X-Response-Time   where the time is shown
 *   suffix   true              whether "ms" stands behind it
 * </pre>
 *
 * <pre>{@code
 * app.use(ResponseTime.of());                         // X-Response-Time: 1.234ms
 * app.use(ResponseTime.of((req, res, millis) -> timer.record(req.routePath(), millis)));
 * }</pre>
 */
@CheckReturnValue
public final class ResponseTime implements Middleware {

  private static final int MOST_DIGITS = 20;

  private final int digits;
  private final String header;
  private final boolean suffix;
  private final @Nullable Listener listener;

  private ResponseTime(int digits, String header, boolean suffix, @Nullable Listener listener) {
    this.digits = digits;
    this.header = header;
    this.suffix = suffix;
    this.listener = listener;
  }

  /** Takes note of the time that an answer took. */
  @FunctionalInterface
  public interface Listener {

    /**
     * Takes note, right before the headers go out; it may set some.
     *
     * @param req the request
     * @param res its response
     * @param millis milliseconds since the request passed
     */
    void took(Request req, Response res, double millis);
  }

  /** Tells the time in a header. */
  public static ResponseTime of() {
    return new ResponseTime(3, "X-Response-Time", true, null);
  }

  /**
   * Tells the time to a listener, and in no header.
   *
   * @param listener is called
   * @return the middleware
   */
  public static ResponseTime of(Listener listener) {
    return new ResponseTime(3, "X-Response-Time", true, listener);
  }

  /**
   * Chooses how many digits stand behind the decimal point.
   *
   * @param digits 0 to 20
   * @throws IllegalArgumentException if it is another number
   */
  public ResponseTime digits(int digits) {
    if (digits < 0 || digits > MOST_DIGITS) {
      throw new IllegalArgumentException("digits(" + digits + "): not a number from 0 to 20");
    }
    return new ResponseTime(digits, header, suffix, listener);
  }

  /**
   * Chooses the header.
   *
   * @param name its name, a token
   * @throws IllegalArgumentException if it is no token
   */
  public ResponseTime header(String name) {
    return new ResponseTime(digits, Options.headerName("header", name), suffix, listener);
  }

  /**
   * Chooses whether {@code ms} stands behind the number.
   *
   * @param suffix false to leave it out
   */
  public ResponseTime suffix(boolean suffix) {
    return new ResponseTime(digits, header, suffix, listener);
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

package dev.percolate.middleware;

import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Next;
import dev.percolate.core.RejectionListener;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.core.TraitsProvider;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.Trust;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Middleware that gives each request an id, which connects its lines in several logs. The id is
 * read from the request header if a trusted proxy has sent it; otherwise it is generated. The
 * response has the same header.
 *
 * <p>A proxy is trusted if the setting {@code trust proxy} includes its address. Its id must have 1
 * to 128 characters: letters, digits and any of {@code . _ ~ + / = : @ -}. Otherwise a new id is
 * generated.
 *
 * <p>The id is the request attribute {@link Request#ID}. To log it, use the token {@code
 * :request-id} of the access log. If this middleware is before the logger, the log lines of
 * requests rejected by the server contain it too. Inside {@code next.run()}, {@link #current}
 * returns the id for code without access to the request. With {@code percolate-slf4j}, add {@code
 * MdcEntry.of("request_id", Request.ID)} after this middleware to put the id into the MDC.
 *
 * <p>Each option returns a changed copy:
 *
 * <pre>
 *   header      X-Request-Id    the header of requests and responses
 *   generator   random UUIDs    generates ids
 * </pre>
 */
@CheckReturnValue
public final class RequestId extends Copyable<RequestId>
    implements Middleware, RejectionListener, TraitsProvider {

  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._~+/=:@-]{1,128}");
  private static final ThreadLocal<String> CURRENT = new ThreadLocal<>();

  private String header = "X-Request-Id";
  private Supplier<String> generator = () -> UUID.randomUUID().toString();

  private RequestId() {}

  /** Creates the middleware with the header {@code X-Request-Id} and random UUIDs. */
  public static RequestId of() {
    return new RequestId();
  }

  /**
   * Returns the id of the request that the calling thread handles.
   *
   * @return the id; null outside the {@code next.run()} of this middleware, such as after a body
   *     parser in the thread modes {@code pool} and {@code event loop}
   */
  public static @Nullable String current() {
    return CURRENT.get();
  }

  /**
   * Sets the header of requests and responses. Default: {@code X-Request-Id}.
   *
   * @param name the name of the header
   */
  public RequestId header(String name) {
    return with(copy -> copy.header = Options.headerName("header", name));
  }

  /**
   * Sets the generator of ids. Default: random UUIDs.
   *
   * @param generator returns a new id for each call; must be thread-safe
   */
  public RequestId generator(Supplier<String> generator) {
    return with(copy -> copy.generator = generator);
  }

  @Override
  public MiddlewareTraits traits() {
    return MiddlewareTraits.of("request-id").once().beforeRoutes().provides(Request.ID);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    String id = name(req);
    res.set(header, id);
    String outer = CURRENT.get();
    CURRENT.set(id);
    try {
      next.run();
    } finally {
      if (outer == null) {
        CURRENT.remove();
      } else {
        CURRENT.set(outer);
      }
    }
  }

  @Override
  public void onRejected(Request req, Response res) {
    String unused = name(req);
  }

  private String name(Request req) {
    String sent = req.get(header);
    String id =
        sent != null && VALID.matcher(sent).matches() && isTrusted(req) ? sent : generator.get();
    req.attr(Request.ID, id);
    return id;
  }

  private static boolean isTrusted(Request req) {
    Trust trust = req.settings().derived(Settings.TRUST_PROXY.name(), Trust::of);
    return trust.trusts(req.remoteAddress(), 0);
  }
}

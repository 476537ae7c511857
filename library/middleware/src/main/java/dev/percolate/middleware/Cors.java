package dev.percolate.middleware;

import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.TraitsProvider;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.Origin;
import dev.percolate.http.TimeSpan;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Middleware for cross-origin resource sharing (CORS): allows pages of other origins to read
 * responses (Fetch Standard, section 3.2 "CORS protocol").
 *
 * <p>It responds with 204 to preflight requests, which are OPTIONS requests with {@code
 * Access-Control-Request-Method}. All other requests are passed on, and their responses have the
 * CORS headers. Requests of disallowed origins are processed too, since only browsers enforce CORS.
 * So CORS does not protect the server.
 *
 * <p>Each option returns a changed copy:
 *
 * <pre>
 *   methods          GET,HEAD,PUT,PATCH,POST,DELETE   the methods that pages can use
 *   headers          the requested headers            the request headers that pages can send
 *   exposed          none                             the response headers that pages can read
 *   credentials      false                            whether cookies are allowed
 *   maxAge           the browser's default            how long a preflight result is cached
 *   privateNetwork   false                            whether public sites can reach this server
 *                                                     in a private network
 * </pre>
 *
 * <pre>{@code
 * app.use("/api", Cors.of("https://shop.example", "https://www.shop.example").credentials(true));
 * app.use("/public", Cors.any());
 * }</pre>
 */
@CheckReturnValue
public final class Cors extends Copyable<Cors> implements Middleware, TraitsProvider {

  private static final String ALLOW = "Access-Control-Allow-";
  private static final String REQUEST = "Access-Control-Request-";
  private static final String ADVICE =
      ". Use Cors.any() to allow all origins, or Cors.of(predicate) for subdomains.";

  private final @Nullable Predicate<String> origins;
  private String methods = "GET,HEAD,PUT,PATCH,POST,DELETE";
  private @Nullable String headers;
  private @Nullable String exposed;
  private @Nullable String maxAge;
  private boolean credentials;
  private boolean privateNetwork;

  private Cors(@Nullable Predicate<String> origins) {
    this.origins = origins;
  }

  /** Creates middleware that allows all origins, without cookies. */
  public static Cors any() {
    return new Cors(null);
  }

  /**
   * Creates middleware that allows a list of origins.
   *
   * @param origins the origins, such as {@code https://example.com}, without paths and wildcards
   * @return the middleware
   * @throws IllegalArgumentException if an origin is invalid
   */
  public static Cors of(String... origins) {
    Set<String> known =
        Arrays.stream(origins)
            .map(origin -> Options.origin("origin", origin, ADVICE))
            .collect(Collectors.toUnmodifiableSet());
    return of(origin -> known.contains(Origin.normal(origin)));
  }

  /**
   * Creates middleware that allows the origins that a predicate accepts.
   *
   * @param origins receives the origin that the client sent, which can be the string {@code null}.
   *     A regular expression should match the whole origin; otherwise it can match the origin of an
   *     attacker
   * @return the middleware
   */
  public static Cors of(Predicate<String> origins) {
    return new Cors(origins);
  }

  /**
   * Sets the methods that pages can use. Default: GET, HEAD, PUT, PATCH, POST and DELETE.
   *
   * @param methods the method names; standard HTTP methods are case-insensitive
   * @throws IllegalArgumentException if a name is invalid
   */
  public Cors methods(String... methods) {
    String joined =
        Arrays.stream(methods)
            .map(name -> Options.method("methods", name))
            .collect(Collectors.joining(","));
    return with(copy -> copy.methods = joined).withoutWildcards();
  }

  /**
   * Sets the request headers that pages can send. Default: all requested headers.
   *
   * @param names the names of the headers
   */
  public Cors headers(String... names) {
    return with(copy -> copy.headers = joined("headers", names)).withoutWildcards();
  }

  /**
   * Sets the response headers that pages can read, in addition to those that CORS always allows.
   *
   * @param names the names of the headers
   */
  public Cors exposed(String... names) {
    String joined = joined("exposed", names);
    return with(copy -> copy.exposed = joined.isEmpty() ? null : joined).withoutWildcards();
  }

  /**
   * Sets whether pages can send cookies with their requests. Default: false.
   *
   * @param credentials true to allow cookies
   * @throws IllegalStateException if all origins are allowed, since any page could then act on
   *     behalf of its visitors; or if methods or headers contain {@code *}
   */
  public Cors credentials(boolean credentials) {
    if (credentials && origins == null) {
      throw new IllegalStateException(
          "credentials(true) needs a list of origins. Use Cors.of(…) instead of Cors.any().");
    }
    return with(copy -> copy.credentials = credentials).withoutWildcards();
  }

  /**
   * Sets how long browsers may cache the result of a preflight request.
   *
   * @param maxAge the time, rounded down to seconds
   * @throws IllegalArgumentException if it is negative
   */
  public Cors maxAge(Duration maxAge) {
    long millis = TimeSpan.millis("maxAge", maxAge.toMillis());
    return with(copy -> copy.maxAge = Long.toString(millis / 1000));
  }

  /**
   * Sets whether pages of public sites can reach this server in a private network (Private Network
   * Access). Default: false.
   *
   * @param privateNetwork true to allow it
   */
  public Cors privateNetwork(boolean privateNetwork) {
    return with(copy -> copy.privateNetwork = privateNetwork);
  }

  @Override
  public MiddlewareTraits traits() {
    return MiddlewareTraits.of("cors").once();
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    String origin = req.get("Origin");
    boolean allowed = allow(origin, res);
    if (req.method().equals("OPTIONS") && req.get(REQUEST + "Method") != null) {
      preflight(req, res, allowed);
      return;
    }
    if (allowed && exposed != null) {
      res.set("Access-Control-Expose-Headers", exposed);
    }
    next.run();
  }

  /**
   * Sets the header with the allowed origin. Returns true if the origin of this request is allowed.
   */
  private boolean allow(@Nullable String origin, Response res) {
    if (origins == null) {
      res.set(ALLOW + "Origin", "*");
      return true;
    }
    res.vary("Origin"); // in all responses, so that caches keep them apart
    if (origin == null || !origins.test(origin)) {
      return false;
    }
    res.set(ALLOW + "Origin", origin);
    if (credentials) {
      res.set(ALLOW + "Credentials", "true");
    }
    return true;
  }

  private void preflight(Request req, Response res, boolean allowed) {
    String asked = req.get(REQUEST + "Headers");
    if (headers == null) {
      res.vary(REQUEST + "Headers");
    }
    if (allowed) {
      res.set(ALLOW + "Methods", methods);
      String sent = headers == null ? asked : headers;
      if (sent != null && !sent.isEmpty()) {
        res.set(ALLOW + "Headers", sent);
      }
      if (maxAge != null) {
        res.set("Access-Control-Max-Age", maxAge);
      }
      if (privateNetwork && "true".equals(req.get(REQUEST + "Private-Network"))) {
        res.set(ALLOW + "Private-Network", "true");
      }
    }
    res.status(204).end();
  }

  /** Rejects {@code *} with cookies: browsers then take it for a name (Fetch Standard). */
  private Cors withoutWildcards() {
    if (credentials && (isWild(methods) || isWild(headers) || isWild(exposed))) {
      throw new IllegalStateException(
          "credentials(true) does not allow * in methods(…), headers(…) and exposed(…)."
              + " List the names; without headers(…), all are allowed.");
    }
    return this;
  }

  private static boolean isWild(@Nullable String names) {
    return names != null && List.of(names.split(",", -1)).contains("*");
  }

  private static String joined(String option, String... names) {
    for (String name : names) {
      Options.headerName(option, name);
    }
    return String.join(",", names);
  }
}

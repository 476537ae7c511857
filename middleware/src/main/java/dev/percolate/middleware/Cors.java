package dev.percolate.middleware;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.StepKind;
import dev.percolate.core.StepTraits;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.TimeSpan;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lets pages of other origins use the answers (Fetch Standard, section 3.2 "CORS protocol").
 *
 * <p>A preflight, an OPTIONS request with {@code Access-Control-Request-Method}, is answered here
 * with 204; every other request is passed on, and its answer says who may read it. Requests of
 * other origins are served, too: it is browsers that keep the answers from pages, so this protects
 * nothing by itself. It is its own options; each gives a changed copy:
 *
 * <pre>
 *   methods          GET,HEAD,PUT,PATCH,POST,DELETE   which a page may use
 *   headers          those asked for                  which a page may send
 *   exposed          none                             which of the answer a page may read
 *   credentials      false                            whether cookies may come along
 *   maxAge           the browser's                    how long a preflight holds
 *   privateNetwork   false                            whether public sites may reach a private one
 * </pre>
 *
 * <pre>{@code
 * app.use("/api", Cors.of("https://shop.example", "https://www.shop.example").credentials(true));
 * app.use("/public", Cors.any());
 * }</pre>
 */
@CheckReturnValue
public final class Cors extends Copyable<Cors> implements Middleware, StepKind {

  private static final String ALLOW = "Access-Control-Allow-";
  private static final String REQUEST = "Access-Control-Request-";

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

  /** Lets pages of any origin read answers, without cookies. */
  public static Cors any() {
    return new Cors(null);
  }

  /**
   * Lets pages of some origins read answers.
   *
   * @param origins the origins as browsers write them, such as {@code https://example.com}, without
   *     a path; compared exactly
   * @return the middleware
   * @throws IllegalArgumentException if one is no origin
   */
  public static Cors of(String... origins) {
    for (String origin : origins) {
      int host = origin.indexOf("://") + 3;
      if (host < 4 || host == origin.length() || origin.indexOf('/', host) >= 0) {
        throw Options.wrong("Cors.of", origin, "not an origin; Cors.any() is for all");
      }
    }
    Set<String> known = Set.copyOf(List.of(origins));
    return of(known::contains);
  }

  /**
   * Lets pages of those origins read answers that a test takes.
   *
   * @param origins gets what the client says is its origin, perhaps {@code null} as a text; to be
   *     compared with care: an expression without an end lets in more than it seems
   * @return the middleware
   */
  public static Cors of(Predicate<String> origins) {
    return new Cors(origins);
  }

  /**
   * Sets the methods that pages can use. Default: GET, HEAD, PUT, PATCH, POST and DELETE.
   *
   * @param methods their names; those that HTTP defines in any letter case
   * @throws IllegalArgumentException if one is not a method
   */
  public Cors methods(String... methods) {
    String joined =
        Arrays.stream(methods)
            .map(name -> Options.method("methods", name))
            .collect(Collectors.joining(","));
    return with(copy -> copy.methods = joined);
  }

  /**
   * Chooses the headers that pages may send; without it, whatever they ask for.
   *
   * @param names their names
   */
  public Cors headers(String... names) {
    String joined = joined("headers", names);
    return with(copy -> copy.headers = joined);
  }

  /**
   * Chooses the headers of answers that pages may read, beside the harmless ones.
   *
   * @param names their names
   */
  public Cors exposed(String... names) {
    String joined = joined("exposed", names);
    return with(copy -> copy.exposed = joined.isEmpty() ? null : joined);
  }

  /**
   * Chooses whether requests of pages may bring cookies along.
   *
   * @param credentials true to let them
   * @throws IllegalStateException if any origin may read answers: then any page could act as its
   *     visitor
   */
  public Cors credentials(boolean credentials) {
    if (credentials && origins == null) {
      throw new IllegalStateException("credentials(true): name the origins by Cors.of");
    }
    return with(copy -> copy.credentials = credentials);
  }

  /**
   * Chooses how long browsers may keep the answer to a preflight.
   *
   * @param maxAge how long, in whole seconds
   * @throws IllegalArgumentException if it is negative
   */
  public Cors maxAge(Duration maxAge) {
    long seconds = TimeSpan.millis("maxAge", maxAge.toMillis()) / 1000;
    return with(copy -> copy.maxAge = Long.toString(seconds));
  }

  /**
   * Chooses whether pages of public sites may reach this one on a private network (Private Network
   * Access).
   *
   * @param privateNetwork true to let them
   */
  public Cors privateNetwork(boolean privateNetwork) {
    return with(copy -> copy.privateNetwork = privateNetwork);
  }

  @Override
  public StepTraits traits() {
    return StepTraits.of("cors").once();
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

  /** Returns who may read the answer; tells whether it is this client. */
  private boolean allow(@Nullable String origin, Response res) {
    if (origins == null) {
      res.set(ALLOW + "Origin", "*");
      return true;
    }
    res.vary("Origin"); // also where it is refused, or missing: caches must not mix them up
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

  private static String joined(String option, String... names) {
    for (String name : names) {
      Options.headerName(option, name);
    }
    return String.join(",", names);
  }
}

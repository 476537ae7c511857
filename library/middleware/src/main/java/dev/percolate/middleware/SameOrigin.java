package dev.percolate.middleware;

import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.TraitsProvider;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.HttpError;
import dev.percolate.http.Origin;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Middleware that protects against cross-site request forgery (CSRF) without tokens: browsers say
 * which page has sent a request. Requests that change something and come from a page of another
 * origin get 403 with the type {@code origin.rejected}. Created by {@link Csrf#sameOrigin}.
 *
 * <p>Requests are checked in this order:
 *
 * <pre>
 *   the method is GET, HEAD or OPTIONS              allowed: such requests must not change anything
 *   the header Origin is one of {@link #allow}      allowed
 *   Sec-Fetch-Site is same-origin or none           allowed; none is an action of the user
 *   Sec-Fetch-Site has another value                rejected, also same-site: a sibling subdomain
 *   Origin is absent                                allowed: the client is not a browser
 *   Origin has the host of the request              allowed, unless it is http and the request https
 *   all other requests                              rejected
 * </pre>
 *
 * <p>All current browsers send {@code Sec-Fetch-Site}, except to hosts without TLS other than
 * localhost. There, and in browsers of before 2023, {@code Origin} is compared with {@link
 * Request#authority}. So behind a proxy that changes {@code Host}, set {@code trust proxy}. Pages
 * of hosts without TLS also need the header {@code Referrer-Policy: same-origin}: with {@code
 * no-referrer}, the default of {@link SecureHeaders}, browsers send {@code Origin: null} with their
 * forms.
 *
 * <p>Each option returns a changed copy:
 *
 * <pre>
 *   allow           none               other origins whose pages may send requests
 *   ignoreMethods   GET HEAD OPTIONS   the methods that are always allowed
 * </pre>
 *
 * <pre>{@code
 * app.use(Csrf.sameOrigin().allow("https://accounts.example.com"));
 * }</pre>
 */
@CheckReturnValue
public final class SameOrigin extends Copyable<SameOrigin> implements Middleware, TraitsProvider {

  /** The values of {@code Sec-Fetch-Site} for own pages, and for actions of the user. */
  private static final Set<String> OWN = Set.of("same-origin", "none");

  private Set<String> allowed = Set.of();
  private Set<String> ignoreMethods = Set.of("GET", "HEAD", "OPTIONS");

  SameOrigin() {}

  /**
   * Sets other origins whose pages may send requests. Default: none.
   *
   * @param origins origins such as {@code https://example.com}, or {@code capacitor://localhost} of
   *     an app
   * @throws IllegalArgumentException if an origin is invalid
   */
  public SameOrigin allow(String... origins) {
    Set<String> checked = new LinkedHashSet<>();
    for (String origin : origins) {
      checked.add(Options.origin("allow", origin, ""));
    }
    return with(copy -> copy.allowed = Set.copyOf(checked));
  }

  /**
   * Sets the methods that are always allowed. Default: GET, HEAD and OPTIONS.
   *
   * @param methods the method names; standard HTTP methods are case-insensitive
   * @throws IllegalArgumentException if a name is invalid
   */
  public SameOrigin ignoreMethods(String... methods) {
    return with(copy -> copy.ignoreMethods = Options.methods("ignoreMethods", methods));
  }

  @Override
  public MiddlewareTraits traits() {
    return MiddlewareTraits.of("csrf");
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    if (!ignoreMethods.contains(req.method()) && !isOwn(req)) {
      throw new HttpError(
          403, "requests from pages of other origins are rejected", "origin.rejected", null);
    }
    next.run();
  }

  private boolean isOwn(Request req) {
    List<String> origins = req.headers().all("Origin");
    List<String> sites = req.headers().all("Sec-Fetch-Site");
    if (origins.size() > 1 || sites.size() > 1) {
      return false; // no browser repeats them
    }
    String origin = origins.isEmpty() ? "" : Origin.normal(origins.get(0));
    if (allowed.contains(origin)) {
      return true;
    }
    if (!sites.isEmpty()) {
      return OWN.contains(sites.get(0));
    }
    boolean downgraded = origin.startsWith("http:") && req.secure();
    return origins.isEmpty() || (Origin.isOf(origin, req.authority()) && !downgraded);
  }
}

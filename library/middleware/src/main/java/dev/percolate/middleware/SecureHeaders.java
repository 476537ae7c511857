package dev.percolate.middleware;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Headers;
import dev.percolate.http.Percent;
import dev.percolate.http.TimeSpan;
import dev.percolate.middleware.session.RandomText;
import java.time.Duration;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Middleware that sets security headers, like Helmet. Headers that are already set are kept. Later
 * middleware and handlers can replace or remove the headers.
 *
 * <pre>
 *   X-Content-Type-Options              nosniff
 *   X-Frame-Options                     SAMEORIGIN
 *   Referrer-Policy                     no-referrer
 *   Cross-Origin-Opener-Policy          same-origin
 *   Cross-Origin-Resource-Policy        same-origin
 *   X-Permitted-Cross-Domain-Policies   none
 *   X-DNS-Prefetch-Control              off
 *   X-XSS-Protection                    0, since the XSS filters of old browsers are harmful
 *   Strict-Transport-Security           max-age of 180 days with subdomains, over HTTPS only
 *   Content-Security-Policy             none: it must fit the pages, see {@link #contentSecurityPolicy}
 * </pre>
 *
 * <p>Each option returns a changed copy:
 *
 * <pre>{@code
 * app.use(SecureHeaders.of()
 *     .contentSecurityPolicy("default-src 'self'; frame-ancestors 'none'")
 *     .header("X-Frame-Options", "DENY")
 *     .header("Cross-Origin-Resource-Policy", null));
 * }</pre>
 *
 * <p>Inline scripts and styles need a nonce, a random value that differs in each response, in the
 * policy and in the page. {@link #nonce()} sets such a policy; in another policy, write {@code
 * {nonce}}. Templates of all view engines find the value in the variable {@code nonce}:
 *
 * <pre>{@code
 * app.use(SecureHeaders.of().nonce());
 * app.get("/", (req, res) -> res.render("index")); // <script nonce="{{nonce}}">…</script>
 * }</pre>
 */
@CheckReturnValue
public final class SecureHeaders implements Middleware {

  private static final String TRANSPORT = "Strict-Transport-Security";

  private static final String POLICY = "Content-Security-Policy";
  private static final String NONCE = "{nonce}";
  private static final int NONCE_BYTES = 16;

  /** The variable of views, and the attribute of requests. */
  private static final Key<String> ATTRIBUTE =
      Key.of("nonce", String.class).providedBy("app.use(SecureHeaders.of().nonce())");

  private final Headers headers;
  private final boolean hasNonce;

  private SecureHeaders(Headers headers) {
    this.headers = headers;
    this.hasNonce =
        IntStream.range(0, headers.size()).anyMatch(i -> headers.value(i).contains(NONCE));
  }

  /** Creates middleware with the default headers. */
  public static SecureHeaders of() {
    Headers headers = new Headers();
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("X-Frame-Options", "SAMEORIGIN");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("X-Permitted-Cross-Domain-Policies", "none");
    headers.set("X-DNS-Prefetch-Control", "off");
    headers.set("X-XSS-Protection", "0");
    return new SecureHeaders(headers).strictTransportSecurity(Duration.ofDays(180), true, false);
  }

  /**
   * Sets a header, which may replace a default.
   *
   * @param name the name
   * @param value the value; null to not send the header
   * @throws IllegalArgumentException if the name or value is invalid
   */
  public SecureHeaders header(String name, @Nullable String value) {
    Headers changed = headers.copy().remove(name);
    if (value != null) {
      changed.set(name, value);
    }
    return new SecureHeaders(changed);
  }

  /**
   * Sets the {@code Content-Security-Policy} header, which limits the sources that pages load from
   * and the sites that may embed them in frames. Default: none.
   *
   * @param policy the policy (CSP Level 3), such as {@code default-src 'self'}; null for none.
   *     Characters outside ASCII are percent-encoded; {@code {nonce}} becomes the nonce of the
   *     request, as in {@code script-src 'nonce-{nonce}'}
   */
  public SecureHeaders contentSecurityPolicy(@Nullable String policy) {
    return header(POLICY, policy == null ? null : Percent.encodeForHeader(policy));
  }

  /**
   * Sets a {@code Content-Security-Policy}. It allows scripts with the nonce of the request, and
   * the scripts that these load; inline styles with the nonce; and styles and other content of this
   * host. Do not store pages with a nonce in shared caches.
   */
  public SecureHeaders nonce() {
    return contentSecurityPolicy(
        "default-src 'self'; script-src 'nonce-{nonce}' 'strict-dynamic';"
            + " style-src 'self' 'nonce-{nonce}'; object-src 'none'; base-uri 'none';"
            + " frame-ancestors 'self'");
  }

  /**
   * Returns the nonce of a request, for pages that are not rendered by a view engine.
   *
   * @param req the request
   * @return the nonce: letters, digits, {@code -} and {@code _}
   * @throws IllegalStateException if no {@code SecureHeaders} with a nonce ran before
   */
  public static String nonce(Request req) {
    return req.attr(ATTRIBUTE);
  }

  /**
   * Sets the {@code Strict-Transport-Security} header (HSTS, RFC 6797), which makes browsers use
   * HTTPS only. Sent only over HTTPS, see {@link Request#secure}. Default: 180 days with
   * subdomains.
   *
   * @param maxAge how long browsers use HTTPS only; zero makes them forget the host
   * @param subdomains whether the header applies to all subdomains of the host
   * @param preload whether browser vendors may include the host in their preload lists
   * @throws IllegalArgumentException if the age is negative
   */
  public SecureHeaders strictTransportSecurity(
      Duration maxAge, boolean subdomains, boolean preload) {
    TimeSpan.millis("strictTransportSecurity", maxAge.toMillis());
    return header(
        TRANSPORT,
        "max-age="
            + maxAge.toSeconds()
            + (subdomains ? "; includeSubDomains" : "")
            + (preload ? "; preload" : ""));
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    boolean secure = req.secure();
    String nonce = hasNonce ? makeNonce(req, res) : "";
    headers.forEach(
        (name, value) -> {
          boolean forTls = name.equalsIgnoreCase(TRANSPORT);
          if (res.get(name) == null && (secure || !forTls)) {
            res.set(name, hasNonce ? value.replace(NONCE, nonce) : value);
          }
        });
    next.run();
  }

  /** Returns the nonce of a request. A second instance uses that of the first. */
  private static String makeNonce(Request req, Response res) {
    String known = req.attrOrNull(ATTRIBUTE);
    String nonce = known == null ? RandomText.of(NONCE_BYTES) : known;
    req.attr(ATTRIBUTE, nonce);
    res.locals().put(ATTRIBUTE.name(), nonce);
    return nonce;
  }
}

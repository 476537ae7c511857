package dev.percolate.middleware;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Headers;
import dev.percolate.http.Percent;
import dev.percolate.http.TimeSpan;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sets headers that make browsers more careful with the pages of a site, before the steps behind it
 * run: those may set others in their place, and remove them. What was set before stays.
 *
 * <pre>
 *   X-Content-Type-Options              nosniff
 *   X-Frame-Options                     SAMEORIGIN
 *   Referrer-Policy                     no-referrer
 *   Cross-Origin-Opener-Policy          same-origin
 *   Cross-Origin-Resource-Policy        same-origin
 *   X-Permitted-Cross-Domain-Policies   none
 *   X-DNS-Prefetch-Control              off
 *   X-XSS-Protection                    0, since the filters it rules did harm
 *   Strict-Transport-Security           max-age of 180 days and subdomains, over https only
 *   Content-Security-Policy             none: it must fit the pages; see {@link #contentSecurityPolicy}
 * </pre>
 *
 * <p>It is its own options; each gives a changed copy:
 *
 * <pre>{@code
 * app.use(SecureHeaders.of()
 *     .contentSecurityPolicy("default-src 'self'; frame-ancestors 'none'")
 *     .header("X-Frame-Options", "DENY")
 *     .header("Cross-Origin-Resource-Policy", null));
 * }</pre>
 */
@CheckReturnValue
public final class SecureHeaders implements Middleware {

  private static final String TRANSPORT = "Strict-Transport-Security";
  private static final String CONTENT = "Content-Security-Policy";
  private static final Duration DEFAULT_AGE = Duration.ofDays(180);

  private final Map<String, String> headers;

  private SecureHeaders(Map<String, String> headers) {
    this.headers = headers;
  }

  /** Sets the headers above. */
  public static SecureHeaders of() {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("X-Content-Type-Options", "nosniff");
    headers.put("X-Frame-Options", "SAMEORIGIN");
    headers.put("Referrer-Policy", "no-referrer");
    headers.put("Cross-Origin-Opener-Policy", "same-origin");
    headers.put("Cross-Origin-Resource-Policy", "same-origin");
    headers.put("X-Permitted-Cross-Domain-Policies", "none");
    headers.put("X-DNS-Prefetch-Control", "off");
    headers.put("X-XSS-Protection", "0");
    return new SecureHeaders(headers).strictTransportSecurity(DEFAULT_AGE, true, false);
  }

  /**
   * Chooses a header, one of the above or another.
   *
   * @param name its name
   * @param value its value; null for no such header
   * @throws IllegalArgumentException if name or value is ill-formed
   */
  public SecureHeaders header(String name, @Nullable String value) {
    Map<String, String> changed = new LinkedHashMap<>(headers);
    changed.keySet().removeIf(known -> known.equalsIgnoreCase(name));
    if (value != null) {
      Headers checked = Headers.of(name, value);
      changed.put(checked.name(0), checked.value(0));
    }
    return new SecureHeaders(changed);
  }

  /**
   * Chooses what pages may load and run, and who may frame them.
   *
   * @param policy the policy (CSP Level 3), such as {@code default-src 'self'}; null for none.
   *     Characters outside ASCII are percent-encoded
   */
  public SecureHeaders contentSecurityPolicy(@Nullable String policy) {
    return header(CONTENT, policy == null ? null : Percent.encodeForHeader(policy));
  }

  /**
   * Chooses how long browsers come by https only, once they have (RFC 6797). Sent over https only,
   * as {@link Request#secure} tells.
   *
   * @param maxAge how long; zero makes browsers forget it
   * @param subdomains whether this holds for all hosts below this one, too
   * @param preload whether the host may be put on the lists that browsers bring along
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
    headers.forEach(
        (name, value) -> {
          boolean forTls = name.equalsIgnoreCase(TRANSPORT);
          if (res.get(name) == null && (secure || !forTls)) {
            res.set(name, value);
          }
        });
    next.run();
  }
}

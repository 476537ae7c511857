package dev.percolate.testkit;

import dev.percolate.http.Referrer;
import dev.percolate.http.RelativeUrl;
import dev.percolate.http.Target;
import dev.percolate.http.UriReference;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Follows redirects as browsers do (RFC 9110 section 15.4). */
final class Redirects {

  /** The limit of browsers. */
  static final int MOST = 20;

  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:");

  private Redirects() {}

  /**
   * Returns the request that follows a response.
   *
   * @param origin the scheme and authority of the service; {@code Host} overrides the authority
   * @return the request; null if the response is not a redirect, or redirects to another origin
   */
  static @Nullable Message after(Message sent, Reply reply, String origin) {
    String location = reply.header("Location");
    int status = reply.status();
    boolean moved = status == 307 || status == 308 || (status >= 301 && status <= 303);
    String target = moved && location != null ? target(sent, location, origin) : null;
    if (target == null) {
      return null;
    }
    boolean dropsBody =
        status == 303 ? !sent.isHead() : status < 307 && sent.method().equals("POST");
    return dropsBody ? sent.asGet(target) : sent.to(target);
  }

  /** Resolves a URL against the target of a request (RFC 3986 section 5.2.2). */
  private static @Nullable String target(Message sent, String location, String origin) {
    int colon = origin.indexOf("://");
    String scheme = origin.substring(0, colon);
    String encoded = UriReference.encode(UriReference.received(location));
    String url = encoded.startsWith("//") ? scheme + ":" + encoded : encoded;
    if (SCHEME.matcher(url).lookingAt()) {
      String host = Objects.requireNonNullElse(sent.header("Host"), origin.substring(colon + 3));
      boolean same = url.regionMatches(true, 0, scheme + ":", 0, scheme.length() + 1);
      if (!same || !Referrer.isSameSite(url, scheme, host)) {
        return null;
      }
    }
    String from = Target.path(sent.target());
    String path = Target.path(url);
    String query = Target.query(url);
    if (path.isEmpty()) {
      path = from;
      query = query == null ? Target.query(sent.target()) : query;
    } else if (!path.startsWith("/")) {
      path = RelativeUrl.resolve(from.substring(0, from.lastIndexOf('/') + 1), path);
    }
    return query == null ? path : path + "?" + query;
  }
}

package dev.percolate.testkit;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** Follows redirects as browsers do (RFC 9110 section 15.4). */
final class Redirects {

  /** The limit of browsers. */
  static final int MOST = 20;

  private Redirects() {}

  /**
   * Returns the request that follows a response.
   *
   * @return the request; null if the response is not a redirect, or redirects to another host
   */
  static @Nullable Message after(Message sent, Reply reply) {
    String location = reply.header("Location");
    int status = reply.status();
    boolean moved = status == 307 || status == 308 || (status >= 301 && status <= 303);
    String target = moved && location != null ? target(sent.target(), location) : null;
    if (target == null) {
      return null;
    }
    boolean dropsBody =
        status == 303 ? !sent.isHead() : status < 307 && sent.method().equals("POST");
    return dropsBody ? sent.asGet(target) : sent.to(target);
  }

  private static @Nullable String target(String from, String location) {
    try {
      URI to = URI.create("http://call.invalid" + from).resolve(new URI(location));
      if (!"call.invalid".equals(to.getHost())) {
        return null;
      }
      String path = to.getRawPath().isEmpty() ? "/" : to.getRawPath();
      return to.getRawQuery() == null ? path : path + "?" + to.getRawQuery();
    } catch (URISyntaxException | IllegalArgumentException e) {
      throw new AssertionError("redirect to an invalid URL: " + location, e);
    }
  }
}

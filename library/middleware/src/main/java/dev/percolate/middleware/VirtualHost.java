package dev.percolate.middleware;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.StartCheck;
import dev.percolate.engine.ListenOptions;
import dev.percolate.http.Host;
import dev.percolate.http.UriReference;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Middleware for virtual hosts: passes requests for a host name, or for names that match a pattern,
 * to other middleware. Other requests continue with the next middleware.
 *
 * <p>The host name is {@link Request#host()}, ignoring letter case: the host of an absolute request
 * target, of the {@code Host} header, or of a trusted proxy's header. {@link #MATCH} contains the
 * match. A request that the other middleware does not handle continues after this one.
 *
 * <pre>{@code
 * app.use(VirtualHost.of("api.example.com", api));             // an App is a Middleware
 * app.use(VirtualHost.of("*.example.com", tenants));
 * app.use(VirtualHost.of(Pattern.compile("(\\w+)\\.example\\.net"), pages));
 * }</pre>
 */
public final class VirtualHost implements Middleware, StartCheck {

  /** The match of the request. */
  public static final Key<Match> MATCH =
      Key.of("vhost", Match.class).providedBy("app.use(VirtualHost.of(name, app))");

  /**
   * The maximum length of a name (RFC 1035). A regular expression might be slow for longer ones.
   */
  private static final int LONGEST_NAME = 255;

  /** Returns the captured groups if a name matches; null otherwise. */
  private final Function<String, @Nullable List<@Nullable String>> names;

  private final Middleware step;

  private VirtualHost(Function<String, @Nullable List<@Nullable String>> names, Middleware step) {
    this.names = names;
    this.step = step;
  }

  /**
   * The match of a request.
   *
   * @param host {@link Request#authority()}, perhaps with a port
   * @param hostname {@link Request#host()}
   * @param groups the captured groups of the regular expression, null for a group that did not
   *     match; empty for a name
   */
  public record Match(String host, String hostname, List<@Nullable String> groups) {}

  /**
   * Creates middleware that passes requests for a name to other middleware.
   *
   * @param name the whole name; {@code *} matches any text, including dots and the empty text. A
   *     name outside ASCII matches its A-labels, which clients send (RFC 5890)
   * @param step the other middleware, such as an application
   * @return the middleware
   * @throws IllegalArgumentException if no host can match: the name has a scheme, a port or a path,
   *     or it has {@code *} and characters outside ASCII
   */
  public static VirtualHost of(String name, Middleware step) {
    String sent = UriReference.encode("//" + name).substring(2);
    if (!Host.isValid(sent) || !Host.withoutPort(sent).equals(sent) || sent.indexOf('%') >= 0) {
      throw Options.wrong("host", name, "must be a name such as www.example.com, without a port");
    }
    String[] parts = sent.toLowerCase(Locale.ROOT).split("\\*", -1);
    return new VirtualHost(
        hostname -> matches(parts, hostname.toLowerCase(Locale.ROOT)) ? List.of() : null, step);
  }

  /**
   * Creates middleware that passes requests for names that match a regular expression to other
   * middleware.
   *
   * @param expression the expression, which must match the whole name; letter case is ignored
   * @param step the other middleware, such as an application
   * @return the middleware
   */
  public static VirtualHost of(Pattern expression, Middleware step) {
    Pattern caseless =
        Pattern.compile(expression.pattern(), expression.flags() | Pattern.CASE_INSENSITIVE);
    return new VirtualHost(hostname -> captures(caseless.matcher(hostname)), step);
  }

  @Override
  public void handle(Request req, Response res, Next next) throws Exception {
    String host = req.authority();
    String hostname = req.host();
    if (host == null || hostname == null || hostname.length() > LONGEST_NAME) {
      next.run();
      return;
    }
    @Nullable List<@Nullable String> groups = names.apply(hostname);
    if (groups == null) {
      next.run();
      return;
    }
    req.attr(MATCH, new Match(host, hostname, groups));
    step.handle(req, res, next);
  }

  @Override
  public void checkStart() {
    if (step instanceof StartCheck inner) {
      inner.checkStart();
    }
  }

  @Override
  public void checkStart(ListenOptions options, List<Middleware> before) {
    if (step instanceof StartCheck inner) {
      inner.checkStart(options, before);
    }
  }

  /** Matches the parts between stars, each at its first place. Never backtracks. */
  private static boolean matches(String[] parts, String text) {
    String first = parts[0];
    String last = parts[parts.length - 1];
    if (parts.length == 1 || !text.startsWith(first)) {
      return text.equals(first);
    }
    int at = first.length();
    for (int i = 1; i < parts.length - 1; i++) {
      int found = text.indexOf(parts[i], at);
      if (found < 0) {
        return false;
      }
      at = found + parts[i].length();
    }
    return text.length() - at >= last.length() && text.endsWith(last);
  }

  private static @Nullable List<@Nullable String> captures(Matcher matcher) {
    return matcher.matches()
        ? IntStream.rangeClosed(1, matcher.groupCount()).mapToObj(matcher::group).toList()
        : null;
  }
}

package dev.percolate.middleware;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.StartCheck;
import dev.percolate.engine.ListenOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Hands requests for one host, or for several by a pattern, to a step of their own; passes others
 * on.
 *
 * <p>What counts is {@link Request#host()}, in any letter case: that of a target in absolute form,
 * else of the header {@code Host}, or what a trusted proxy reports. {@link #MATCH} tells what
 * matched. What the step passes on goes on behind this.
 *
 * <pre>{@code
 * app.use(VirtualHost.of("api.example.com", api));             // an App is a Middleware
 * app.use(VirtualHost.of("*.example.com", tenants));
 * app.use(VirtualHost.of(Pattern.compile("(\\w+)\\.example\\.net"), pages));
 * }</pre>
 */
public final class VirtualHost implements Middleware, StartCheck {

  /** What matched. */
  public static final Key<Match> MATCH = Key.of("vhost", Match.class);

  /** Longer names are none (RFC 1035), and an expression might take long for them. */
  private static final int LONGEST_NAME = 255;

  private final Names names;
  private final Middleware step;

  private VirtualHost(Names names, Middleware step) {
    this.names = names;
    this.step = step;
  }

  /** Returns the captures of a name that is meant; null for another name. */
  private interface Names {
    @Nullable List<@Nullable String> match(String hostname);
  }

  /**
   * Tells what matched.
   *
   * @param host {@link Request#authority()}, perhaps with a port
   * @param hostname {@link Request#host()}
   * @param groups the captures of the expression, null for one that did not take part; none of a
   *     plain name
   */
  public record Match(String host, String hostname, List<@Nullable String> groups) {}

  /**
   * Hands the requests for a name to a step.
   *
   * @param name the whole name; {@code *} in it stands for any text, also for none and with dots
   * @param step a handler, or an application
   * @return the middleware
   */
  public static VirtualHost of(String name, Middleware step) {
    String lower = name.toLowerCase(Locale.ROOT);
    return new VirtualHost(
        hostname -> covers(lower, hostname.toLowerCase(Locale.ROOT)) ? List.of() : null, step);
  }

  /**
   * Hands the requests for names that match an expression to a step.
   *
   * @param expression must match the whole name, each of its alternatives too; letter case is
   *     ignored
   * @param step a handler, or an application
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
    List<@Nullable String> groups = names.match(hostname);
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

  /** Matches stars without going back further than to the last one. */
  private static boolean covers(String pattern, String text) {
    int p = 0;
    int t = 0;
    int star = -1;
    int resume = 0;
    while (t < text.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        resume = t;
      } else if (p < pattern.length() && pattern.charAt(p) == text.charAt(t)) {
        p++;
        t++;
      } else if (star >= 0) {
        p = star + 1;
        t = ++resume;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }

  private static @Nullable List<@Nullable String> captures(Matcher matcher) {
    if (!matcher.matches()) {
      return null;
    }
    List<@Nullable String> groups = new ArrayList<>();
    for (int i = 1; i <= matcher.groupCount(); i++) {
      groups.add(matcher.group(i));
    }
    return Collections.unmodifiableList(groups);
  }
}

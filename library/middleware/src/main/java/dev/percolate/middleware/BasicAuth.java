package dev.percolate.middleware;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.SecurityScheme;
import dev.percolate.core.Settings;
import dev.percolate.core.TraitsProvider;
import dev.percolate.http.BasicCredentials;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.HttpError;
import dev.percolate.http.Percent;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Middleware that requires a user name and a password with HTTP Basic authentication (RFC 7617).
 *
 * <p>After success it sets {@link #USER} and {@link #REMOTE_USER}. Requests that already have a
 * user pass, see below. All other requests get 401 with a challenge, so that browsers ask for a
 * password. This includes malformed credentials and other schemes, such as {@code Bearer} (RFC 9110
 * section 15.5.2). The scheme is case-insensitive, unless {@link #EXACT_SCHEME} is set.
 *
 * <p>A request already has a user if earlier middleware has set the attribute {@code user}: another
 * {@code BasicAuth}, or your own with {@code Key.of("user", …)}, which is the same attribute. The
 * request passes without a password, for any user. So a second {@code BasicAuth} does not restrict
 * a path to other users; check the user instead, and give your own keys other names.
 *
 * <p>Names and passwords are not encrypted. Use this middleware only over HTTPS.
 *
 * <pre>{@code
 * app.use("/admin", BasicAuth.of("admin", System.getenv("ADMIN_PASSWORD")).realm("Back room"));
 * app.use("/users", BasicAuth.of((user, password) -> users.verify(user, password)));
 * }</pre>
 *
 * <p>Each option returns a changed copy.
 */
@CheckReturnValue
public final class BasicAuth extends Copyable<BasicAuth> implements Middleware, TraitsProvider {

  /** The authenticated user: the user name, or the result of an asynchronous check. */
  public static final Key<Object> USER =
      Key.of("user", Object.class).providedBy("app.use(BasicAuth.of(user, password))");

  /** The same as {@link #USER}. */
  public static final Key<Object> REMOTE_USER =
      Key.of("remoteUser", Object.class).providedBy("app.use(BasicAuth.of(user, password))");

  /**
   * Whether the scheme must be exactly {@code Basic}, and other or malformed credentials get 400
   * instead of a challenge, as in Express. Default: false.
   */
  public static final Key<Boolean> EXACT_SCHEME = Key.of("exact auth scheme", Boolean.class, false);

  /** Checks credentials, and passes on whether they are right, and the user. */
  private final BiConsumer<BasicCredentials, BiConsumer<Boolean, @Nullable Object>> check;

  /** A doubt about the user name and password; null for none. */
  private final @Nullable String warning;

  private String realm = "Authorization Required";

  private BasicAuth(
      @Nullable String warning,
      BiConsumer<BasicCredentials, BiConsumer<Boolean, @Nullable Object>> check) {
    this.warning = warning;
    this.check = check;
  }

  /** Checks a password without blocking. */
  @FunctionalInterface
  public interface AsyncCheck {

    /**
     * Starts to check a password.
     *
     * @param user the user name, possibly empty
     * @param password the password, possibly empty
     * @return a stage that completes with the user; null, false or a failure means 401
     */
    CompletionStage<? extends @Nullable Object> check(String user, String password);
  }

  /**
   * Creates middleware that accepts one user. The time of the comparison does not depend on how
   * much of the name and password is correct.
   *
   * @param user the user name
   * @param password the password; a server that starts logs a warning if it is empty
   * @return the middleware
   * @throws IllegalArgumentException if one of them is null
   */
  public static BasicAuth of(String user, String password) {
    if (user == null || password == null) {
      throw new IllegalArgumentException(
          "BasicAuth.of: the "
              + (user == null ? "user" : "password")
              + " must not be null; is its environment variable set?");
    }
    byte[] rightUser = bytes(user);
    byte[] rightPassword = bytes(password);
    return comparing(
        doubt(user, password),
        (name, word) -> {
          // Always compare both, so that the time does not reveal which one is wrong.
          boolean nameRight = MessageDigest.isEqual(rightUser, bytes(name));
          boolean wordRight = MessageDigest.isEqual(rightPassword, bytes(word));
          return nameRight && wordRight;
        });
  }

  private static @Nullable String doubt(String user, String password) {
    if (password.isBlank()) {
      return "accepts an empty password. Set a password.";
    } else if (password.equals(user)) {
      return "accepts the user name as password. Set another one.";
    } else if (user.isBlank()) {
      return "accepts an empty user name. Set one.";
    }
    // RFC 7617 section 2: the first colon ends the user name.
    return user.contains(":")
        ? "rejects all clients, because the user name contains a colon. Remove it."
        : null;
  }

  /**
   * Creates middleware that verifies user names and passwords with a function. It should compare
   * secrets in constant time, as {@link MessageDigest#isEqual} does.
   *
   * @param check returns true if the user name and the password are correct; either may be empty
   * @return the middleware
   */
  public static BasicAuth of(BiPredicate<String, String> check) {
    return comparing(null, check);
  }

  private static BasicAuth comparing(@Nullable String warning, BiPredicate<String, String> check) {
    return new BasicAuth(
        warning,
        (given, decide) ->
            decide.accept(check.test(given.username(), given.password()), given.username()));
  }

  /**
   * Creates middleware that verifies user names and passwords with an asynchronous check.
   *
   * @param check returns the user
   * @return the middleware
   */
  public static BasicAuth async(AsyncCheck check) {
    return new BasicAuth(
        null,
        (given, decide) ->
            check
                .check(given.username(), given.password())
                .whenComplete(
                    (user, error) -> decide.accept(error == null && Settings.truthy(user), user)));
  }

  /**
   * Sets the realm, which names the protected area. Browsers may show it. Characters outside ASCII
   * are percent-encoded, since browsers decode them differently (RFC 9110 section 11.5). Default:
   * {@code Authorization Required}.
   *
   * @param realm text without quotes, backslashes and control characters
   * @throws IllegalArgumentException if it contains one of these
   */
  public BasicAuth realm(String realm) {
    return with(copy -> copy.realm = Percent.encodeForHeader(Options.quotable("realm", realm)));
  }

  @Override
  public MiddlewareTraits traits() {
    return MiddlewareTraits.of("basic-auth")
        .authenticatesBy(SecurityScheme.basic("basic"))
        .requiresUser()
        .warns(warning);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    if (Settings.truthy(req.attrOrNull(USER))) {
      next.run();
      return;
    }
    String header = req.get("Authorization");
    BasicCredentials given = header == null ? null : BasicCredentials.parseExactly(header);
    boolean exact = Boolean.TRUE.equals(req.settings().get(EXACT_SCHEME));
    if (exact && header != null && (given == null || !isAsTheOriginalsReadIt(header))) {
      throw new HttpError(400);
    }
    if (given == null) {
      reject(res);
      return;
    }
    check.accept(
        given,
        (right, user) -> {
          if (right) {
            req.attr(USER, user);
            req.attr(REMOTE_USER, user);
            next.run();
          } else {
            reject(res);
          }
        });
  }

  private static boolean isAsTheOriginalsReadIt(String header) {
    return header.startsWith("Basic ") && header.indexOf(' ') == header.lastIndexOf(' ');
  }

  private void reject(Response res) {
    res.status(401).set("WWW-Authenticate", "Basic realm=\"" + realm + "\"").end("Unauthorized");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

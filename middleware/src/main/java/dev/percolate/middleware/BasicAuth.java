package dev.percolate.middleware;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.core.StepKind;
import dev.percolate.core.StepTraits;
import dev.percolate.http.BasicCredentials;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.HttpError;
import dev.percolate.http.Percent;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.concurrent.CompletionStage;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Requires a name and a password by Basic authentication (RFC 7617).
 *
 * <p>After success {@link #USER} and {@link #REMOTE_USER} are set; a request that already has a
 * user passes. Every other request gets 401 with a challenge, so that browsers ask for a password:
 * without credentials, with wrong or malformed ones, and with those of another scheme such as
 * {@code Bearer} (RFC 9110 section 15.5.2). The scheme may have any letter case; {@link
 * #EXACT_SCHEME} restores what the originals do. Names and passwords cross the network readably:
 * use it over TLS only.
 *
 * <pre>{@code
 * app.use("/admin", BasicAuth.of("admin", System.getenv("ADMIN_PASSWORD")).realm("Back room"));
 * app.use("/users", BasicAuth.of((user, password) -> users.verify(user, password)));
 * }</pre>
 *
 * <p>Each option returns a changed copy.
 */
@CheckReturnValue
public final class BasicAuth implements Middleware, StepKind {

  /** Who has passed: the name, or what an asynchronous check gave. */
  public static final Key<Object> USER = Key.of("user", Object.class);

  /** The same as {@link #USER}. */
  public static final Key<Object> REMOTE_USER = Key.of("remoteUser", Object.class);

  /**
   * Whether the scheme must be written {@code Basic}, and other or malformed credentials get 400
   * instead of a challenge, as in the originals; false.
   */
  public static final Key<Boolean> EXACT_SCHEME = Key.of("exact auth scheme", Boolean.class, false);

  private final Check check;
  private final String realm;

  private BasicAuth(Check check, String realm) {
    this.check = check;
    this.realm = realm;
  }

  /** Looks a user up without waiting. */
  @FunctionalInterface
  public interface AsyncCheck {

    /**
     * Starts to look a user up.
     *
     * @param user the name, perhaps empty
     * @param password the password, perhaps empty
     * @return gives the user; null, false, or a failure for a 401
     */
    CompletionStage<? extends @Nullable Object> check(String user, String password);
  }

  /** Calls one of the two back. */
  private interface Check {
    void check(BasicCredentials given, Request req, Runnable refuse, Next next);
  }

  /**
   * Lets one user pass. What is given is compared in a time that does not tell how much of it was
   * right.
   *
   * @param user the name
   * @param password the password
   * @return the middleware
   */
  public static BasicAuth of(String user, String password) {
    byte[] rightUser = bytes(user);
    byte[] rightPassword = bytes(password);
    return of(
        (name, word) -> {
          // Both are compared, whatever the first gives: the time must not tell which was wrong.
          boolean nameRight = MessageDigest.isEqual(rightUser, bytes(name));
          boolean wordRight = MessageDigest.isEqual(rightPassword, bytes(word));
          return nameRight && wordRight;
        });
  }

  /**
   * Lets those pass whom a check knows. It should compare secrets in constant time, as {@link
   * MessageDigest#isEqual} does.
   *
   * @param check gets name and password, each perhaps empty, and tells whether they are right
   * @return the middleware
   */
  public static BasicAuth of(BiPredicate<String, String> check) {
    return new BasicAuth(
        (given, req, refuse, next) ->
            decide(
                check.test(given.username(), given.password()),
                given.username(),
                req,
                refuse,
                next),
        "Authorization Required");
  }

  /**
   * Lets those pass whom an asynchronous check finds.
   *
   * @param check gives the user
   * @return the middleware
   */
  public static BasicAuth async(AsyncCheck check) {
    return new BasicAuth(
        (given, req, refuse, next) ->
            check
                .check(given.username(), given.password())
                .whenComplete(
                    (user, error) ->
                        decide(error == null && Settings.truthy(user), user, req, refuse, next)),
        "Authorization Required");
  }

  /**
   * Sets the realm: the pages that share a password, as browsers may show it. Characters outside
   * ASCII are percent-encoded, since browsers disagree about them (RFC 9110 section 11.5).
   *
   * @param realm a text without quotes, backslashes and control characters
   * @throws IllegalArgumentException if it has one of these
   */
  public BasicAuth realm(String realm) {
    return new BasicAuth(check, Percent.encodeForHeader(Options.quotable("realm", realm)));
  }

  @Override
  public StepTraits traits() {
    return StepTraits.of("basic-auth").authenticates();
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    if (Settings.truthy(req.attrOrNull(USER))) {
      next.run();
      return;
    }
    String header = req.get("Authorization");
    if (header == null) {
      refuse(res);
      return;
    }
    BasicCredentials given = BasicCredentials.parseExactly(header);
    boolean exact = Boolean.TRUE.equals(req.settings().get(EXACT_SCHEME));
    if (exact && (given == null || !isAsTheOriginalsReadIt(header))) {
      throw new HttpError(400);
    }
    if (given == null) {
      refuse(res);
      return;
    }
    check.check(given, req, () -> refuse(res), next);
  }

  private static boolean isAsTheOriginalsReadIt(String header) {
    return header.startsWith("Basic ") && header.indexOf(' ') == header.lastIndexOf(' ');
  }

  private static void decide(
      boolean right, @Nullable Object user, Request req, Runnable refuse, Next next) {
    if (!right) {
      refuse.run();
      return;
    }
    req.attr(USER, user);
    req.attr(REMOTE_USER, user);
    next.run();
  }

  private void refuse(Response res) {
    res.status(401).set("WWW-Authenticate", "Basic realm=\"" + realm + "\"").end("Unauthorized");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

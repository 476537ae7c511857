package dev.percolate.auth;

import com.nimbusds.oauth2.sdk.Scope;
import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.SecurityScheme;
import dev.percolate.core.StartCheck;
import dev.percolate.core.TraitsProvider;
import dev.percolate.engine.ListenOptions;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.Session;
import dev.percolate.middleware.Sessions;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Middleware that logs visitors in with an OpenID Connect provider (OAuth 2.0, single sign-on), by
 * the authorization code flow with PKCE. Sets {@link Auth#USER} for visitors who are logged in.
 *
 * <pre>{@code
 * app.use(Sessions.of(System.getenv("SECRET")));
 * app.use(OidcLogin.of("https://id.example.com", "books", System.getenv("CLIENT_SECRET"),
 *     "https://books.example.com/callback"));
 * app.get("/me", Auth.required(), (req, res) -> res.send(req.attr(Auth.USER).name()));
 * }</pre>
 *
 * <p>It responds to three paths, and passes all other requests:
 *
 * <pre>
 *   GET /login        redirects to the provider; ?return=/path names the page to open afterwards
 *   GET the callback  checks the login, starts a session with a new id, and redirects to that page
 *   POST /logout      ends the session of this site, not that of the provider
 * </pre>
 *
 * <p>State, nonce and PKCE verifier are random, bound to the session, used once, and valid for 15
 * minutes. The ID token must be signed by the provider, issued for this client and this login, and
 * not expired. An invalid login is a 403, an unreachable provider a 503.
 *
 * <p>Mount it at the root of the application, after {@link Sessions}, whose cookie must not be
 * {@code SameSite=Strict}: browsers would not send it when another site redirects to the callback.
 * {@link dev.percolate.middleware.CookieSession} does not suffice, because a browser could repeat a
 * login.
 *
 * <p>Options; each returns a changed copy:
 *
 * <pre>
 *   scopes      openid, profile, email  the scopes to request
 *   loginPath   /login                  the path that starts a login
 *   logoutPath  /logout                 the path that ends the session
 *   roles       roles                   the claim with the roles of the user
 *   user        as in the ID token      the user of this application
 * </pre>
 */
@CheckReturnValue
public final class OidcLogin extends Copyable<OidcLogin>
    implements Middleware, TraitsProvider, StartCheck {

  private final OidcProvider provider;
  private TokenVerifier tokens;
  private Scope scope = new Scope("openid", "profile", "email");
  private String loginPath = "/login";
  private String logoutPath = "/logout";
  private UnaryOperator<AuthUser> user = UnaryOperator.identity();

  private OidcLogin(OidcProvider provider, TokenVerifier tokens) {
    this.provider = provider;
    this.tokens = tokens;
  }

  /**
   * Creates a login.
   *
   * @param issuer the provider, as in its metadata: an HTTPS URL, or an HTTP URL of localhost
   * @param clientId the id of this application at the provider
   * @param clientSecret the secret of this application at the provider
   * @param callback the URL of this application to which the provider redirects, as registered
   *     there; its path must be unused
   * @throws IllegalArgumentException if a URL is neither an HTTPS URL nor an HTTP URL of localhost,
   *     if the callback has no path, or if the id or the secret is empty
   */
  public static OidcLogin of(String issuer, String clientId, String clientSecret, String callback) {
    URI checked = IssuerClient.uri("issuer", issuer);
    URI target = IssuerClient.uri("callback", callback);
    if (target.getPath().length() < 2) {
      throw new IllegalArgumentException(
          "callback must have a path, such as /callback, was \"" + callback + '"');
    }
    String id = TokenVerifier.notEmpty("clientId", clientId);
    String secret = TokenVerifier.notEmpty("clientSecret", clientSecret);
    return new OidcLogin(
        new OidcProvider(checked.toString(), id, secret, target), TokenVerifier.of(issuer, id));
  }

  /** Sets the scopes, in addition to {@code openid}. Default: {@code profile}, {@code email}. */
  public OidcLogin scopes(String... names) {
    Scope all = new Scope(names);
    all.add("openid");
    return with(copy -> copy.scope = all);
  }

  /**
   * Sets the path that starts a login. Default: {@code /login}.
   *
   * @throws IllegalArgumentException if it does not start with a slash
   */
  public OidcLogin loginPath(String path) {
    return with(copy -> copy.loginPath = path("loginPath", path));
  }

  /**
   * Sets the path that ends the session. Default: {@code /logout}.
   *
   * @throws IllegalArgumentException if it does not start with a slash
   */
  public OidcLogin logoutPath(String path) {
    return with(copy -> copy.logoutPath = path("logoutPath", path));
  }

  /**
   * Sets the claim with the roles, as {@link TokenVerifier#roles}. Default: {@code roles}.
   *
   * @throws IllegalArgumentException if it is empty
   */
  public OidcLogin roles(String claim) {
    return with(copy -> copy.tokens = tokens.roles(claim));
  }

  /**
   * Sets a function that returns the user of this application for the user of an ID token, for
   * example with roles from a database. It runs once for each login, and may throw an {@link
   * HttpError} to reject it. Default: the user of the token.
   */
  public OidcLogin user(UnaryOperator<AuthUser> user) {
    return with(copy -> copy.user = user);
  }

  private static String path(String option, String path) {
    if (!localPath(path).equals(path)) {
      throw new IllegalArgumentException(
          option + " must be a path that starts with a slash, was \"" + path + '"');
    }
    return path;
  }

  @Override
  public MiddlewareTraits traits() {
    String metadata = IssuerClient.metadataUri(provider.issuer).toString();
    return MiddlewareTraits.of("oidc-login")
        .authenticatesBy(SecurityScheme.openIdConnect("login", metadata))
        .provides(Auth.USER)
        .requires(Sessions.SESSION);
  }

  @Override
  public void checkStart(ListenOptions options, List<Middleware> before) {
    if (before.stream().noneMatch(Sessions.class::isInstance)) {
      throw new IllegalStateException(
          "OidcLogin has no sessions before it. Add app.use(Sessions.of(secret)) before it.");
    }
  }

  @Override
  public void handle(Request req, Response res, Next next) throws Exception {
    String call = req.method() + " " + req.path();
    if (call.equals("GET " + loginPath)) {
      Middleware.async(this::begin).handle(req, res, next);
    } else if (call.equals("GET " + provider.callback.getRawPath())) {
      Middleware.async(this::finish).handle(req, res, next);
    } else if (call.equals("POST " + logoutPath)) {
      logOut(req, res);
    } else {
      Challenge login = new Challenge("Login", "site", false, loginPath);
      AuthState.identify(req, res, next, login, () -> known(req.attrOrNull(Sessions.SESSION)));
    }
  }

  private static @Nullable CompletionStage<AuthUser> known(@Nullable Session session) {
    AuthUser known = session == null ? null : SessionUser.of(session);
    return known == null ? null : CompletableFuture.completedStage(known);
  }

  private static void logOut(Request req, Response res) {
    Session session = req.attrOrNull(Sessions.SESSION);
    if (session != null) {
      session.destroy();
    }
    res.redirect(303, "/");
  }

  private CompletionStage<?> begin(Request req, Response res) {
    Session session = req.attr(Sessions.SESSION);
    PendingLogin login = PendingLogin.returningTo(localPath(req.query("return")));
    return provider
        .loginUrl(login, scope)
        .thenAccept(
            url -> {
              login.store(session);
              res.set("Cache-Control", "no-store").redirect(url);
            });
  }

  private CompletionStage<?> finish(Request req, Response res) {
    Session session = req.attr(Sessions.SESSION);
    PendingLogin login = PendingLogin.take(session, req.query("state"));
    if (login == null) {
      String message = "This login is unknown, too old, or was used before. Start again at ";
      throw new HttpError(403, message + loginPath, "login.unknown", null);
    }
    String code = req.query("code");
    if (code == null || code.isBlank()) {
      throw new HttpError(403, "The provider has rejected the login", "login.denied", null);
    }
    return provider
        .user(code, req.query("iss"), login, tokens)
        .thenAccept(
            found -> {
              SessionUser.start(session, user.apply(found));
              res.set("Cache-Control", "no-store").redirect(303, login.returnTo());
            });
  }

  /** Returns a path of this site; the root if the text may be another one. */
  private static String localPath(@Nullable String path) {
    if (path == null || !path.startsWith("/") || path.startsWith("//")) {
      return "/";
    }
    // Browsers remove tabs and line breaks, and treat backslashes as slashes.
    return path.chars().allMatch(c -> c > ' ' && c < 0x7F && c != '\\') ? path : "/";
  }
}

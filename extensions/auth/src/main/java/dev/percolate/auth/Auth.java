package dev.percolate.auth;

import dev.percolate.core.Handler;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.StartCheck;
import dev.percolate.core.TraitsProvider;
import dev.percolate.engine.ListenOptions;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.HttpError;
import dev.percolate.http.Percent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Middleware that admits only requests with a user, or with a user that has a role or scope.
 *
 * <p>Earlier middleware identifies the user: {@link BearerAuth}, {@link ApiKeyAuth}, {@link
 * OidcLogin}, or your own, which sets {@link #USER}. It passes requests without credentials, so a
 * route is public unless one of these methods protects it:
 *
 * <pre>{@code
 * app.use(BearerAuth.of(TokenVerifier.of("https://id.example.com", "books")));
 * app.use("/books", Auth.required());
 * app.delete("/books/:id", Auth.role("admin"), (req, res) -> books.remove(req.attr(Auth.USER), …));
 * }</pre>
 *
 * <pre>
 *   no user           401 with the challenges of the earlier middleware (RFC 9110 section 11.6.1);
 *                     a browser is redirected to the login page of {@link OidcLogin}
 *   no role or scope  403; for a bearer token with the error insufficient_scope (RFC 6750)
 * </pre>
 */
@CheckReturnValue
public final class Auth {

  /** The user of the request. */
  public static final Key<AuthUser> USER = AuthState.USER;

  /** The longest target that servers accept by default. */
  private static final int LONGEST_TARGET = 8000;

  private Auth() {}

  /** Creates middleware that admits requests with a user. */
  public static Middleware required() {
    return new Guard("Auth.required()", Set.of(), Set.of());
  }

  /**
   * Creates middleware that admits users with a role.
   *
   * @param roles the roles, of which one suffices
   * @throws IllegalArgumentException if no role is given
   */
  public static Middleware role(String... roles) {
    return new Guard("Auth.role(…)", named("role", roles), Set.of());
  }

  /**
   * Creates middleware that admits users whose client may use all of these scopes.
   *
   * @param scopes the scopes, all of which are needed
   * @throws IllegalArgumentException if no scope is given, or if one contains a space or quote
   */
  public static Middleware scope(String... scopes) {
    Set<String> all = named("scope", scopes);
    for (String scope : all) {
      if (!scope.matches("[!#-\\[\\]-~]+")) { // RFC 6749 section 3.3
        throw new IllegalArgumentException(
            "scope must be visible ASCII without quotes and backslashes, was \"" + scope + '"');
      }
    }
    return new Guard("Auth.scope(…)", Set.of(), all);
  }

  private static Set<String> named(String what, String... names) {
    if (names.length == 0) {
      throw new IllegalArgumentException(
          "Auth." + what + " needs at least one " + what + "; for any user use Auth.required()");
    }
    return Collections.unmodifiableSet(new LinkedHashSet<>(List.of(names)));
  }

  private record Guard(String call, Set<String> roles, Set<String> scopes)
      implements Middleware, TraitsProvider, StartCheck {

    @Override
    public MiddlewareTraits traits() {
      List<String> access = new ArrayList<>(roles);
      access.addAll(scopes);
      return MiddlewareTraits.of("auth").requires(USER).requiresUser(access.toArray(String[]::new));
    }

    /** Checks that something before it may set the user: other middleware may, handlers do not. */
    @Override
    public void checkStart(ListenOptions options, List<Middleware> before) {
      boolean provided =
          before.stream()
              .anyMatch(
                  step ->
                      step instanceof TraitsProvider one
                          ? one.traits().provided().contains(USER.name())
                          : !(step instanceof Handler));
      if (!provided) {
        throw new IllegalStateException(
            call
                + " has no authentication before it."
                + " Add app.use(BearerAuth.of(verifier)), ApiKeyAuth or OidcLogin before it.");
      }
    }

    @Override
    public void handle(Request req, Response res, Next next) {
      AuthUser user = req.attrOrNull(USER);
      if (user == null) {
        challenge(req, res, next);
      } else if (isAdmitted(user)) {
        next.run();
      } else {
        Challenge used = AuthState.of(req).used;
        if (used != null && used.loginPath() == null) {
          res.set("WWW-Authenticate", used.insufficient(scopes));
        }
        next.fail(new HttpError(403));
      }
    }

    private boolean isAdmitted(AuthUser user) {
      boolean hasRole = roles.isEmpty() || !Collections.disjoint(roles, user.roles());
      return hasRole && user.scopes().containsAll(scopes);
    }

    private static void challenge(Request req, Response res, Next next) {
      Set<Challenge> offered = AuthState.of(req).offered;
      for (Challenge one : offered) {
        String path = one.loginPath();
        if (path != null && isPage(req)) {
          String login = path + "?return=" + Percent.encodeComponent(req.originalUrl());
          res.set("Cache-Control", "no-store");
          res.redirect(login.length() > LONGEST_TARGET ? path : login);
          return;
        }
      }
      List<String> challenges = offered.stream().map(Challenge::header).toList();
      // Your own middleware offers nothing, but a 401 needs a challenge.
      res.set(
          "WWW-Authenticate", challenges.isEmpty() ? List.of("Login realm=\"api\"") : challenges);
      next.fail(new HttpError(401));
    }

    /** Returns true if a browser loads a page: scripts, forms and other clients get a 401. */
    private static boolean isPage(Request req) {
      String accepted = req.get("Accept");
      return req.method().equals("GET")
          && !req.xhr()
          && accepted != null
          && "html".equals(req.accepts("json", "html"))
          && accepted.contains("text/html");
    }
  }
}

package dev.percolate.auth;

import dev.percolate.core.AsyncHandler;
import dev.percolate.core.Key;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.HttpError;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The authentication of one request. */
final class AuthState {

  static final Key<AuthUser> USER =
      Key.of("authenticated user", AuthUser.class).providedBy("Auth.required()");

  private static final Key<AuthState> KEY = Key.of("authentication", AuthState.class);

  /** The ways to authenticate in order; several middleware may offer the same. */
  final Set<Challenge> offered = new LinkedHashSet<>();

  /** The way by which the user was identified; null if it is unknown. */
  @Nullable Challenge used;

  private AuthState() {}

  static AuthState of(Request req) {
    AuthState known = req.attrOrNull(KEY);
    if (known == null) {
      known = new AuthState();
      req.attr(KEY, known);
    }
    return known;
  }

  /**
   * Identifies the user of a request, unless earlier middleware has, and continues. Invalid
   * credentials, a 401, go to the error handlers with the challenge of their response.
   *
   * @param challenge the way to authenticate, also for a later 401
   * @param user finds the user; its result is null if the request has no credentials
   */
  static void identify(
      Request req,
      Response res,
      Next next,
      Challenge challenge,
      Callable<@Nullable CompletionStage<AuthUser>> user) {
    AuthState state = of(req);
    state.offered.add(challenge);
    CompletionStage<AuthUser> finding;
    try {
      finding = req.attrOrNull(USER) == null ? user.call() : null;
    } catch (Exception e) {
      finding = CompletableFuture.failedStage(e);
    }
    if (finding == null) {
      next.run();
      return;
    }
    finding.whenComplete(
        (found, failure) -> {
          if (failure == null) {
            state.used = challenge;
            req.attr(USER, found);
            next.run();
            return;
          }
          Throwable error = AsyncHandler.unwrap(failure);
          if (error instanceof HttpError known && known.status() == 401) {
            res.set("WWW-Authenticate", challenge.invalid(known.getMessage()));
          }
          next.fail(error);
        });
  }
}

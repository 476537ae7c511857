package dev.percolate.auth;

import dev.percolate.core.Key;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.HttpError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The authentication of one request: the possible challenges, and the one that was met. */
final class AuthState {

  static final Key<AuthUser> USER =
      Key.of("authenticated user", AuthUser.class).providedBy("Auth.required()");

  private static final Key<AuthState> KEY = Key.of("authentication", AuthState.class);

  private final List<Challenge> offered = new ArrayList<>();
  private @Nullable Challenge used;

  private AuthState() {}

  static AuthState of(Request req) {
    AuthState known = req.attrOrNull(KEY);
    if (known == null) {
      known = new AuthState();
      req.attr(KEY, known);
    }
    return known;
  }

  /** Returns true if an earlier middleware has identified the user. */
  static boolean hasUser(Request req) {
    return req.attrOrNull(USER) != null;
  }

  /** Records a way to authenticate, for a later 401. */
  void offer(Challenge challenge) {
    offered.add(challenge);
  }

  /** Returns the ways to authenticate in order; several middleware may offer the same. */
  List<Challenge> offered() {
    return offered.stream().distinct().toList();
  }

  /** Returns the way by which the user was identified; null if it is unknown. */
  @Nullable Challenge used() {
    return used;
  }

  /** Sets the user of the request, and continues. */
  void admit(Request req, AuthUser user, Challenge challenge, Next next) {
    used = challenge;
    req.attr(USER, user);
    next.run();
  }

  /** Passes an error to the error handlers, with the challenge of its response. */
  static void reject(Response res, HttpError error, String challenge, Next next) {
    res.set("WWW-Authenticate", challenge);
    next.fail(error);
  }
}

package dev.percolate.examples.conduit;

import com.zaxxer.hikari.HikariDataSource;
import dev.percolate.auth.Auth;
import dev.percolate.auth.AuthUser;
import dev.percolate.auth.BearerAuth;
import dev.percolate.auth.TokenIssuer;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.InputError;
import dev.percolate.core.InputSource;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.examples.database.Migrations;
import dev.percolate.examples.database.Stock;
import dev.percolate.examples.database.Transaction;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.Cors;
import dev.percolate.parsers.BodyParsers;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The RealWorld API, a blog named Conduit: 19 operations with users, articles, comments, favorites
 * and followers. Tokens are JWTs, and the database is H2 in memory or PostgreSQL.
 *
 * <pre>
 * curl localhost:3000/api/users --json '{"user":{"username":"ann","email":"ann@example.com","password":"secret"}}'
 * curl localhost:3000/api/user -H "Authorization: Token $token"
 * </pre>
 */
final class Conduit {

  static final String EMPTY = "can't be empty";

  private static final String MEMORY = "jdbc:h2:mem:conduit;MODE=PostgreSQL;DB_CLOSE_ON_EXIT=FALSE";

  private Conduit() {}

  public static void main(String[] args) throws Exception {
    HikariDataSource pool = Stock.pool(System.getenv().getOrDefault("DATABASE_URL", MEMORY));
    String secret = System.getenv().getOrDefault("TOKEN_SECRET", UUID.randomUUID().toString());
    App app = app(pool, secret).onClose(pool);
    System.out.println("Listening at " + app.listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app(DataSource pool, String secret) throws SQLException, IOException {
    Migrations.run(pool, Conduit.class);
    TokenIssuer tokens = TokenIssuer.secret(secret).lifetime(Duration.ofDays(1));
    App app = new App();
    app.use(Cors.any());
    app.use(BodyParsers.json());
    app.use(BearerAuth.of(tokens.verifier()).scheme("Token"));
    app.use(Transaction.ofEachRequest(pool));
    app.use("/api", api(new Users(tokens)));
    app.use((req, res, next) -> next.fail(error(404, "path", "not found")));
    app.use(ErrorHandler.of(HttpError.class, Conduit::sendError));
    return app;
  }

  private static App api(Users users) {
    Middleware user = Auth.required();
    App api = new App();
    api.post("/users", users::register);
    api.post("/users/login", users::login);
    api.get("/user", user, users::current);
    api.put("/user", user, users::update);
    api.get("/profiles/:username", Users::profile);
    api.post("/profiles/:username/follow", user, Users::follow);
    api.delete("/profiles/:username/follow", user, Users::follow);
    api.get("/articles", (req, res) -> Articles.list(req, res, false));
    api.get("/articles/feed", user, (req, res) -> Articles.list(req, res, true));
    api.get("/articles/:slug", Articles::show);
    api.post("/articles", user, Articles::add);
    api.put("/articles/:slug", user, Articles::update);
    api.delete("/articles/:slug", user, Articles::remove);
    api.post("/articles/:slug/favorite", user, Articles::favorite);
    api.delete("/articles/:slug/favorite", user, Articles::favorite);
    api.get("/articles/:slug/comments", Articles::comments);
    api.post("/articles/:slug/comments", user, Articles::addComment);
    api.delete("/articles/:slug/comments/:id", user, Articles::removeComment);
    api.get("/tags", Articles::tags);
    return api;
  }

  /** Returns the id of the user; 0 if there is none. */
  static long user(Request req) {
    AuthUser user = req.attrOrNull(Auth.USER);
    return user == null ? 0 : Long.parseLong(user.name());
  }

  /** Returns the body of a request; not null, since the parser accepts objects and arrays only. */
  static <T> T body(Request req, Class<T> type) {
    return Objects.requireNonNull(req.body(type));
  }

  /** Creates an error in the format of Conduit: {@code {"errors": {"email": ["…"]}}}. */
  static HttpError error(int status, String field, String detail) {
    InputError one = new InputError(InputSource.JSON, "/" + field, InputError.CONSTRAINT, detail);
    return InputError.error(status, "conduit." + field, List.of(one));
  }

  // #region errors
  private static void sendError(HttpError error, Request req, Response res, Next next) {
    Map<String, List<String>> errors = new TreeMap<>();
    for (InputError one : InputError.of(error)) {
      String detail = one.code().equals(InputError.MISSING) ? EMPTY : one.detail();
      errors.computeIfAbsent(one.field(), name -> new ArrayList<>()).add(detail);
    }
    if (errors.isEmpty()) {
      String message = error.expose() ? error.getMessage() : "cannot be processed";
      errors.put("body", List.of(String.valueOf(message)));
    }
    res.json(error.status() == 400 ? 422 : error.status(), Map.of("errors", errors));
  }

  // #endregion errors
}

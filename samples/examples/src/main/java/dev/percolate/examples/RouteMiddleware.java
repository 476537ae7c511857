package dev.percolate.examples;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.BasicCredentials;
import dev.percolate.http.HttpError;
import java.util.Map;

/**
 * Middleware for single routes: one loads the user in the path, another checks permissions.
 *
 * <pre>curl -u Ben: localhost:3000/users/Ben/edit</pre>
 */
final class RouteMiddleware {

  private static final Key<User> USER = Key.of("user", User.class);
  private static final Map<String, User> USERS =
      Map.of("Ann", new User("Ann", "admin"), "Ben", new User("Ben", "member"));

  private record User(String name, String role) {}

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() {
    App app = new App();
    Middleware load = RouteMiddleware::load;
    app.get("/users/:user", load, (req, res) -> res.json(req.attr(USER)));
    app.get("/users/:user/edit", load, only("member"), (req, res) -> res.send("A form."));
    app.delete("/users/:user", load, only("admin"), (req, res) -> res.send("Gone."));
    return app;
  }

  private static void load(Request req, Response res, Next next) {
    User user = USERS.get(req.params().get("user"));
    if (user == null) {
      throw new HttpError(404, "There is no such user.");
    }
    req.attr(USER, user);
    next.run();
  }

  /** Creates middleware that allows administrators, and members on their own user. */
  private static Middleware only(String role) {
    return (req, res, next) -> {
      BasicCredentials given = req.auth(); // a real application also checks the password
      User visitor = given == null ? null : USERS.get(given.username());
      boolean themselves = role.equals("member") && req.attr(USER).equals(visitor);
      if (visitor == null || !(themselves || visitor.role().equals("admin"))) {
        throw new HttpError(403, "Access denied.");
      }
      next.run();
    };
  }
}

package dev.percolate.examples;

import dev.percolate.framework.App;
import dev.percolate.framework.ParamHandler;
import dev.percolate.http.HttpError;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Processes route parameters with {@code app.param}, for all routes that contain them.
 *
 * <pre>curl localhost:3000/rooms/c/from/10/to/12</pre>
 */
final class RouteParams {
  private static final Map<String, String> ROOMS = Map.of("a", "Attic", "c", "Cellar");

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() {
    App app = new App();
    // By name: replaces the value of the parameter.
    app.param(
        "room",
        (req, res, next, value) -> {
          req.params().set("room", ROOMS.getOrDefault(value, "Hall"));
          next.run();
        });

    // For several names: the callback gets the name.
    app.param(
        List.of("from", "to"),
        (req, res, next, value, name) -> {
          req.params().set(name, value + ":00");
          next.run();
        });
    app.get("/rooms/:room/from/:from/to/:to", (req, res) -> res.json(req.params().asMap()));

    // By a regular expression: keeps its groups. Other values do not match the route.
    app.param("month", Pattern.compile("^(\\d{4})-(\\d{2})$"));
    app.get("/months/:month", (req, res) -> res.json(req.params().value("month")));

    // By your own values, which a function turns into callbacks.
    app.param((name, value) -> value instanceof Integer most ? atMost(most) : null);
    app.param("floor", 3);
    app.get("/floors/:floor(\\d)", (req, res) -> res.json(req.params().asMap()));
    return app;
  }

  private static ParamHandler atMost(int most) {
    return (req, res, next, value) -> {
      if (Integer.parseInt(value) > most) {
        throw new HttpError(404, "There is no such floor.");
      }
      next.run();
    };
  }
}

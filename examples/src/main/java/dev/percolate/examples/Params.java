package dev.percolate.examples;

import dev.percolate.core.HttpError;
import dev.percolate.core.Key;
import dev.percolate.framework.App;
import dev.percolate.framework.ParamHandler;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Shows {@code app.param}, which says what is to be done with a parameter wherever it stands.
 *
 * <pre>curl localhost:3000/rooms/2/from/10/to/12</pre>
 */
final class Params {

  private static final Key<String> ROOM = Key.of("room", String.class);
  private static final List<String> ROOMS = List.of("Attic", "Cellar", "Hall");

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() {
    App app = new App();

    // By name: finds what the parameter stands for.
    app.param(
        "room",
        (req, res, next, value) -> {
          req.attr(ROOM, ROOMS.get(number(value, ROOMS.size())));
          next.run();
        });

    // By several names: the callback is told which one it is.
    app.param(
        List.of("from", "to"),
        (req, res, next, value, name) -> {
          req.params().set(name, number(value, 24) + ":00");
          next.run();
        });

    // By an expression: of the value the captures stay; other values leave the route.
    app.param("month", Pattern.compile("^(\\d{4})-(\\d{2})$"));

    // By values of your own, which a function makes callbacks of.
    app.param((name, value) -> value instanceof Integer limit ? below(limit) : null);
    app.param("floor", 3);

    app.get("/rooms/:room/from/:from/to/:to", (req, res) -> res.json(req.params().asMap()));
    app.get("/rooms/:room", (req, res) -> res.send(req.attr(ROOM)));
    app.get("/months/:month", (req, res) -> res.json(req.params().value("month")));
    app.get("/floors/:floor", (req, res) -> res.json(req.params().asMap()));
    return app;
  }

  private static ParamHandler below(int limit) {
    return (req, res, next, value) -> {
      number(value, limit);
      next.run();
    };
  }

  private static int number(String text, int limit) {
    if (!text.matches("[0-9]{1,4}") || Integer.parseInt(text) >= limit) {
      throw new HttpError(404, "There is nothing of this number.");
    }
    return Integer.parseInt(text);
  }
}

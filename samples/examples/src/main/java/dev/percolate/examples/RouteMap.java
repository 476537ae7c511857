package dev.percolate.examples;

import dev.percolate.core.Handler;
import dev.percolate.framework.App;
import java.util.Map;

/**
 * Defines routes from a nested map in a loop, and prints {@code app.routes()}.
 *
 * <pre>curl localhost:3000/shelves/7/books/3</pre>
 */
final class RouteMap {

  /** The handlers of a path by verb, and the paths below it. */
  private record Place(Map<String, Handler> verbs, Map<String, Place> below) {}

  private static final Handler SHOW = (req, res) -> res.json(req.params().asMap());

  private static final Map<String, Place> PLACES =
      Map.of(
          "/shelves",
          new Place(
              Map.of("get", SHOW, "post", SHOW),
              Map.of(
                  "/:shelf",
                  new Place(
                      Map.of("get", SHOW, "delete", SHOW),
                      Map.of("/books/:book", new Place(Map.of("get", SHOW), Map.of()))))));

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() {
    App app = new App();
    define(app, "", PLACES);
    app.routes().values().forEach(routes -> routes.forEach(System.out::println));
    return app;
  }

  private static void define(App app, String above, Map<String, Place> places) {
    places.forEach(
        (name, place) -> {
          place.verbs().forEach((verb, handler) -> app.method(verb, above + name, handler));
          define(app, above + name, place.below());
        });
  }
}

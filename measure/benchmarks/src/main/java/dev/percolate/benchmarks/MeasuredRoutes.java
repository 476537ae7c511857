package dev.percolate.benchmarks;

import dev.percolate.framework.App;
import java.util.Map;

/** The routes that are measured with and without an engine, after fifty that do not match. */
final class MeasuredRoutes {

  private static final int OTHERS = 50;

  private MeasuredRoutes() {}

  static void addTo(App app) {
    for (int i = 0; i < OTHERS; i++) {
      int number = i;
      app.get("/other" + i + "/:id", (req, res) -> res.send("other " + number));
    }
    app.get("/plaintext", (req, res) -> res.type("text/plain").send("Hello, World!"));
    app.get("/json", (req, res) -> res.json(Map.of("message", "Hello, World!")));
    app.get(
        "/users/:id/posts/:post",
        (req, res) ->
            res.type("text/plain").send(req.params().get("id") + " " + req.params().get("post")));
  }
}

package dev.percolate.examples;

import dev.percolate.framework.App;

/**
 * The smallest application: two routes, one of them with a parameter.
 *
 * <pre>curl localhost:3000/hello/Ann</pre>
 */
final class Hello {

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() {
    App app = new App();
    app.get("/", (req, res) -> res.send("Hello, world!"));
    app.get(
        "/hello/:name",
        (req, res) -> res.type("txt").send("Hello, " + req.params().get("name") + "!"));
    return app;
  }
}

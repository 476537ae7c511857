package dev.percolate.examples;

import dev.percolate.core.Middleware;
import dev.percolate.framework.App;
import java.util.Map;

/**
 * Several applications in one, each with its own settings, by mount path and by host.
 *
 * <pre>curl localhost:3000/shop/admin; curl api.localhost:3000</pre>
 */
final class SeveralApps {

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() {
    App app = new App();
    app.set("owner", "Ann");
    app.use(onHost("api.localhost", api()));
    app.use("/blog", site("Blog"));
    app.use("/shop", site("Shop").use("/admin", site("Back office")));
    app.get("/", (req, res) -> res.send("See /blog and /shop."));
    return app;
  }

  /** Creates an application that does not depend on its mount path. */
  private static App site(String title) {
    App site = new App();
    site.set("title", title);
    site.get(
        "/",
        (req, res) ->
            res.send(site.get("title") + " of " + site.get("owner") + " at " + site.path()));
    return site;
  }

  private static App api() {
    App api = new App();
    api.set("json spaces", 2);
    api.get("/", (req, res) -> res.json(Map.of("version", 1)));
    return api;
  }

  /** Passes the requests for one host to an application. */
  private static Middleware onHost(String host, App app) {
    return (req, res, next) -> {
      if (host.equals(req.host())) {
        app.handle(req, res, next);
      } else {
        next.run();
      }
    };
  }
}

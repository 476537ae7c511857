package dev.percolate.examples;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.CookieOptions;
import dev.percolate.middleware.CookieParser;

/**
 * A signed cookie that counts visits. The client stores the number, but cannot change it.
 *
 * <pre>curl -b /tmp/jar -c /tmp/jar localhost:3000</pre>
 */
final class SignedCookie {

  private static final CookieOptions OPTIONS =
      CookieOptions.none().signed(true).httpOnly(true).sameSite("lax");

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() {
    App app = new App();
    app.use(CookieParser.of("keep this secret"));
    app.get("/", SignedCookie::visit);
    app.get("/forget", (req, res) -> res.clearCookie("visits").redirect("/"));
    return app;
  }

  private static void visit(Request req, Response res) {
    Object visits = req.signedCookies().getOrDefault("visits", "0");
    if (!(visits instanceof String text)) {
      res.status(400).send("The cookie has an invalid signature.");
      return;
    }
    int visit = Integer.parseInt(text) + 1; // signed, so it is always a number
    res.cookie("visits", visit, OPTIONS).send("This is visit " + visit + ".");
  }
}

package dev.percolate.examples;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.parsers.BodyParsers;

/**
 * Body parsers for single routes. Each accepts only the type and size that its route needs.
 *
 * <pre>curl localhost:3000/form -d 'user[name]=Ann' -d 'user[pets][]=Tobi'</pre>
 */
final class ParsersPerRoute {

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() {
    App app = new App();
    app.post("/form", BodyParsers.urlencoded().extended(true), ParsersPerRoute::show);
    app.post("/json", BodyParsers.json().limit("1mb"), ParsersPerRoute::show);
    app.post("/text", BodyParsers.text().limit("1kb"), ParsersPerRoute::show);
    app.post("/bytes", BodyParsers.raw().type("*/*"), ParsersPerRoute::count);
    return app;
  }

  private static void show(Request req, Response res) {
    if (req.body() == null) {
      throw new HttpError(415, "This route does not accept this media type.");
    }
    res.json(req.body());
  }

  private static void count(Request req, Response res) {
    int bytes = req.body() instanceof byte[] body ? body.length : 0;
    res.json(bytes + " bytes");
  }
}

package dev.percolate.examples;

import dev.percolate.core.ErrorHandler;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;

/**
 * Custom error pages: a 404 page, and error handlers for one exception type and for all others.
 *
 * <pre>curl -i localhost:3000/weekday/2026-02-30</pre>
 */
final class CustomErrorPages {

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() {
    App app = new App();
    app.get(
        "/weekday/:date",
        (req, res) -> res.json(LocalDate.parse(req.params().get("date")).getDayOfWeek()));
    app.get(
        "/secret",
        (req, res) -> {
          throw new HttpError(403, "Access denied.");
        });
    app.get(
        "/trouble",
        (req, res) -> {
          throw new IllegalStateException("the cellar is flooded");
        });

    // After all routes: no route has matched.
    app.use((req, res) -> res.status(404).send("<h1>Page not found</h1>"));

    // Errors of one type. Others continue to the next error handler.
    app.use(
        ErrorHandler.of(
            DateTimeParseException.class,
            (error, req, res, next) -> res.status(400).send("<h1>Invalid date</h1>")));
    app.use(
        ErrorHandler.of(
            HttpError.class,
            (error, req, res, next) ->
                res.status(error.status()).send("<h1>" + error.status() + "</h1>")));

    // All others: log the exception, and do not send it to the client.
    app.use(
        (error, req, res, next) -> {
          error.printStackTrace();
          res.status(500).send("<h1>Something went wrong on our side</h1>");
        });
    return app;
  }
}

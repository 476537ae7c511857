package dev.percolate.examples;

import dev.percolate.core.ErrorHandler;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;

/**
 * Shows who answers when nobody else does, or something fails: the last lines of the application.
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
          throw new HttpError(403, "Not for you.");
        });
    app.get(
        "/trouble",
        (req, res) -> {
          throw new IllegalStateException("the cellar is flooded");
        });

    // Behind all routes: nobody has answered.
    app.use((req, res) -> res.status(404).send("<h1>There is nothing here</h1>"));

    // Errors of one type; others go on to the next error handler.
    app.use(
        ErrorHandler.of(
            DateTimeParseException.class,
            (error, req, res, next) -> res.status(400).send("<h1>This is no date</h1>")));
    app.use(
        ErrorHandler.of(
            HttpError.class,
            (error, req, res, next) ->
                res.status(error.status()).send("<h1>" + error.status() + "</h1>")));

    // All others: the client learns nothing, the console everything.
    app.use(
        (error, req, res, next) -> {
          error.printStackTrace();
          res.status(500).send("<h1>Something went wrong on our side</h1>");
        });
    return app;
  }
}

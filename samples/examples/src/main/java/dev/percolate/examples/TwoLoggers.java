package dev.percolate.examples;

import dev.percolate.framework.App;
import dev.percolate.logger.LogSink;
import dev.percolate.logger.RequestLogger;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Two access logs: failed requests on the console, all requests in a file.
 *
 * <pre>curl localhost:3000/nowhere</pre>
 */
final class TwoLoggers {

  public static void main(String[] args) throws Exception {
    Path file = Files.createTempFile("access", ".log");
    App app = app(LogSink.stdout(), LogSink.file(file));
    System.out.println("Listening at " + app.listen(Integer.getInteger("port", 3000)).uri());
    System.out.println("The access log is " + file);
  }

  static App app(LogSink console, LogSink file) {
    App app = new App();
    app.use(RequestLogger.of("dev").skip((req, res) -> res.status() < 400).to(console));
    app.use(RequestLogger.of("combined").to(file));
    app.get("/", (req, res) -> res.send("This request is logged only in the file."));
    return app;
  }
}

package dev.percolate.examples;

import dev.percolate.core.FileOptions;
import dev.percolate.framework.App;
import dev.percolate.middleware.StaticFiles;
import java.nio.file.Path;

/**
 * File downloads: display a file, download it, find it by a request parameter, serve a directory.
 *
 * <pre>curl -OJ localhost:3000/report</pre>
 */
final class Downloads {

  private static final Path PUBLIC = Path.of("public");
  private static final FileOptions BELOW = FileOptions.none().root(PUBLIC).maxAge("1 hour");

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() {
    App app = new App();
    app.get("/", (req, res) -> res.sendFile(PUBLIC.resolve("notes.txt")));
    app.get("/report", (req, res) -> res.download(PUBLIC.resolve("notes.txt"), "Report 2026.txt"));

    // Paths from the request cannot leave the root directory.
    app.get(
        "/download/*",
        (req, res, next) -> res.download("" + req.params().get(0), null, BELOW, next));

    app.use("/files", StaticFiles.of(PUBLIC).maxAge("1 hour"));
    return app;
  }
}

package dev.percolate.examples;

import dev.percolate.core.FileOptions;
import dev.percolate.framework.App;
import dev.percolate.middleware.StaticFiles;
import java.nio.file.Path;

/**
 * Shows the ways to send files: shown, to be kept, by a name from outside, or a whole directory.
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

    // What comes from outside is looked for below a root, and nowhere else.
    app.get(
        "/download/*",
        (req, res, next) -> res.download("" + req.params().get(0), null, BELOW, next));

    app.use("/files", StaticFiles.of(PUBLIC).maxAge("1 hour"));
    return app;
  }
}

package dev.percolate.benchmarks;

import dev.percolate.engine.ListenOptions;
import dev.percolate.framework.App;
import dev.percolate.middleware.StaticFiles;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Serves the files of a directory: through Percolate, or with {@code -Dbare=true} through the
 * engine alone. System properties: {@code port}, {@code root}, {@code threads} (a mode by name).
 */
final class FileServer {

  private FileServer() {}

  public static void main(String[] args) throws Exception {
    int port = Integer.getInteger("port", 8080);
    Path root = Path.of(System.getProperty("root", ".")).toAbsolutePath();
    if (Boolean.getBoolean("bare")) {
      bare(port, root);
    } else {
      String threads = System.getProperty("threads");
      ListenOptions options = ListenOptions.ofPort(port);
      App app = new App().use(StaticFiles.of(root));
      app.listen(threads == null ? options : options.threads(threads));
    }
    System.out.println("ready");
  }

  private static void bare(int port, Path root) throws Exception {
    Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(false));
    HttpServer server = vertx.createHttpServer();
    server.requestHandler(req -> req.response().sendFile(root + req.path()));
    server.listen(port).toCompletionStage().toCompletableFuture().get(1, TimeUnit.MINUTES);
  }
}

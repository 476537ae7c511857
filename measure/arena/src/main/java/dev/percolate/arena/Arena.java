package dev.percolate.arena;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.middleware.Compression;
import dev.percolate.middleware.StaticFiles;
import dev.percolate.middleware.WebSocket;
import dev.percolate.middleware.WebSockets;
import dev.percolate.parsers.BodyParsers;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The application for HttpArena, as an entry of the type <i>production</i>: with the defaults of
 * the framework, and its documented API.
 *
 * <pre>
 *   baseline, limited-conn, baseline-h2, baseline-h2c   GET, POST /baseline11; GET /baseline2
 *   pipelined                                           GET /pipeline
 *   json, json-comp, json-tls, json-h2c                 GET /json/:count?m=
 *   upload                                              POST /upload
 *   static, static-h2                                   GET /static/*
 *   async-db, api-4; crud                               GET /async-db; /crud/items
 *   echo-ws                                             GET /ws
 * </pre>
 */
final class Arena {

  /** More than the largest upload, which has 20 MiB. */
  private static final long MOST_UPLOADED = 25L << 20;

  private record Priced(List<Item.Priced> items, int count) {}

  private final List<Item> dataset;

  private Arena(List<Item> dataset) {
    this.dataset = dataset;
  }

  /**
   * Creates the application.
   *
   * @param data the directory with {@code dataset.json}, and {@code static} if files are served
   * @param table the table; null for none, then queries find nothing
   */
  static App app(Path data, @Nullable ItemTable table) throws IOException {
    Arena arena = new Arena(dataset(data.resolve("dataset.json")));
    App app = new App();
    app.get("/pipeline", (req, res) -> res.type("text/plain").send("ok"));
    app.get("/baseline11", (req, res) -> sum(req, res, 0));
    app.get("/baseline2", (req, res) -> sum(req, res, 0));
    app.post("/baseline11", BodyParsers.text().type(req -> true), Arena::sumWithBody);
    app.get("/json/:count", Compression.of(), arena::priced);
    app.post("/upload", Arena::upload);
    Path files = data.resolve("static");
    if (Files.isDirectory(files)) {
      app.use("/static", StaticFiles.of(files).precompressed("br", "gz"));
    }
    app.get("/ws", WebSockets.callbacks().onText(WebSocket::send).onBinary(WebSocket::send));
    ItemRoutes.addTo(app, table);
    return app;
  }

  /** Creates the same application for a port on which HTTP/1.1 is refused. */
  static App onlyHttp2(Path data) throws IOException {
    App app = new App();
    app.use(
        (req, res, next) -> {
          if (req.httpVersion().startsWith("2")) {
            next.run();
          } else {
            res.sendStatus(505);
          }
        });
    app.use(app(data, null));
    return app;
  }

  private static List<Item> dataset(Path file) throws IOException {
    Object items = JsonCodec.find().read(Files.readAllBytes(file), Item[].class);
    return List.of((Item[]) Objects.requireNonNull(items));
  }

  private static void sum(Request req, Response res, int more) {
    int sum = req.queryRequired("a", int.class) + req.queryRequired("b", int.class) + more;
    res.type("text/plain").send(Integer.toString(sum));
  }

  private static void sumWithBody(Request req, Response res) {
    sum(req, res, Integer.parseInt(String.valueOf(req.body()).strip()));
  }

  private void priced(Request req, Response res) {
    int count = Math.min(req.params().required("count", int.class), dataset.size());
    int factor = req.query("m", int.class, 1);
    List<Item.Priced> items =
        dataset.subList(0, Math.max(0, count)).stream().map(item -> item.times(factor)).toList();
    res.json(new Priced(items, items.size()));
  }

  private static void upload(Request req, Response res) throws IOException {
    long bytes = req.inputStream(MOST_UPLOADED).transferTo(OutputStream.nullOutputStream());
    res.type("text/plain").send(Long.toString(bytes));
  }
}

package dev.percolate.conformance;

import dev.percolate.core.Handler;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.logger.LogSink;
import dev.percolate.logger.RequestLogger;
import dev.percolate.middleware.BasicAuth;
import dev.percolate.middleware.Compression;
import dev.percolate.middleware.CookieParser;
import dev.percolate.middleware.MethodOverride;
import dev.percolate.middleware.Sessions;
import dev.percolate.middleware.StaticFiles;
import dev.percolate.multipart.Multipart;
import dev.percolate.multipart.Upload;
import dev.percolate.parsers.BodyParsers;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the application that {@code conformance/beside-express5} compares with the one of {@code
 * reference/express5/app.mjs}. Both do the same, with their own defaults.
 */
final class BesideExpress {

  private static final String LONG = "The quick brown fox jumps over the lazy dog. ".repeat(100);
  private static final String OLD = "Wed, 01 Jan 2020 00:00:00 GMT";
  private static final long SLOW_MILLIS = 400;

  private final Path folder;
  private final PrintStream out;
  private final App app = new App();

  /** A JSON body with a name. */
  record Named(@Nullable String name) {}

  private BesideExpress(Path folder, PrintStream out) {
    this.folder = folder;
    this.out = out;
  }

  /**
   * Serves until the process ends. Prints {@code PORT} and the port, then {@code LOG} and each line
   * of the log.
   *
   * @param args the directory of the files
   */
  public static void main(String[] args) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    App app = new BesideExpress(Path.of(args[0]), out).app();
    out.println("PORT " + app.listen("127.0.0.1", 0).uri().getPort());
  }

  private App app() {
    app.set("trust proxy", "loopback, 10.0.0.0/8");
    app.use(RequestLogger.of("combined").to(LogSink.direct(line -> out.print("LOG " + line))));
    methods();
    negotiation();
    proxies();
    authorization();
    override();
    headers();
    conditions();
    errors();
    compressed();
    heads();
    lengths();
    types();
    bodies();
    forms();
    routes();
    settings();
    sessions();
    logs();
    return app;
  }

  private void methods() {
    app.use(
        "/guarded",
        (req, res, next) -> {
          if (req.method().equals("POST") && req.get("X-Admin") == null) {
            res.sendStatus(403);
            return;
          }
          next.run();
        });
    app.get("/guarded/x", (req, res) -> res.send("read"));
    app.post("/guarded/x", (req, res) -> res.send("changed"));
    app.get("/method", (req, res) -> res.send("get"));
    app.all("/any", (req, res) -> res.send(req.method()));
  }

  private void negotiation() {
    Map<String, Handler> offers = new LinkedHashMap<>();
    offers.put("text/html", (req, res) -> res.send("html"));
    offers.put("application/json", (req, res) -> res.send("json"));
    offers.put("text/plain", (req, res) -> res.send("text"));
    app.get("/format", (req, res) -> res.format(offers));
    app.get(
        "/accepts",
        (req, res) -> res.send(Objects.requireNonNullElse(req.accepts("json", "html"), "none")));
    app.get(
        "/languages",
        (req, res) ->
            res.send(joined(Stream.of("en", "en-GB", "de").filter(req::acceptsLanguage))));
    app.get(
        "/charsets",
        (req, res) ->
            res.send(joined(Stream.of("utf-8", "iso-8859-1").filter(req::acceptsCharset))));
    app.get(
        "/encodings",
        (req, res) ->
            res.send(joined(Stream.of("gzip", "br", "identity").filter(req::acceptsEncoding))));
    app.post(
        "/is", (req, res) -> res.send(joined(Stream.of("json", "html", "text/*").filter(req::is))));
  }

  private static String joined(Stream<String> names) {
    return names.collect(Collectors.joining(" "));
  }

  private void proxies() {
    Handler seen =
        (req, res) ->
            res.send(
                String.join(
                    " ",
                    "ip " + req.ip(),
                    "protocol " + req.protocol(),
                    "secure " + req.secure(),
                    "host " + req.host()));
    App direct = new App().set("trust proxy", false);
    direct.get("/", seen);
    app.get("/proxied", seen);
    app.use("/direct", direct);
  }

  private void authorization() {
    BasicAuth guard = BasicAuth.of("joe", "secret");
    app.get("/auth", guard.realm("Back room"), (req, res) -> res.send("in"));
    app.get("/realm", guard.realm("Café"), (req, res) -> res.send("in"));
  }

  private void override() {
    app.use("/override", BodyParsers.urlencoded(), MethodOverride.of());
    app.all("/override", (req, res) -> res.send(req.method()));
  }

  private void headers() {
    Path ten = folder.resolve("ten.txt");
    app.get("/redirect", (req, res) -> res.redirect(req.queryRequired("to", String.class)));
    app.get(
        "/location",
        (req, res) -> res.location(req.queryRequired("to", String.class)).send("here"));
    app.get(
        "/links",
        (req, res) ->
            res.links(Map.of("next", req.queryRequired("to", String.class))).send("here"));
    app.get(
        "/attachment",
        (req, res) -> res.attachment(req.queryRequired("name", String.class)).end("x"));
    app.get("/download", (req, res) -> res.download(ten, req.queryRequired("name", String.class)));
    app.get("/cookie", (req, res) -> res.cookie("name", req.query("value")).send("set"));
  }

  private void conditions() {
    Path ten = folder.resolve("ten.txt");
    app.all(
        "/tagged",
        (req, res) -> res.set("ETag", "\"v1\"").set("Last-Modified", OLD).send("tagged"));
    app.get("/weak", (req, res) -> res.set("ETag", "W/\"v1\"").send("weak"));
    app.get("/dated", (req, res) -> res.set("Last-Modified", OLD).send("dated"));
    app.get("/generated", (req, res) -> res.send("generated"));
    app.get(
        "/described",
        (req, res) ->
            res.set("ETag", "\"v1\"")
                .set("Cache-Control", "max-age=60")
                .set("Content-Language", "en")
                .set("Vary", "Accept")
                .send("described"));
    app.all("/ranged", (req, res) -> res.sendFile(ten));
    app.get("/created", (req, res) -> res.status(201).sendFile(ten));
    app.use("/files", StaticFiles.of(folder));
  }

  private void errors() {
    app.get(
        "/failing/:status",
        (req, res, next) -> {
          describe(res);
          next.fail(new HttpError(req.params().required("status", Integer.class), "failed"));
        });
    app.get(
        "/unanswered",
        (req, res, next) -> {
          describe(res);
          next.run();
        });
    app.get(
        "/no-store",
        (req, res) -> {
          res.set("Cache-Control", "private, no-store");
          throw new IllegalStateException("failed");
        });
    app.get(
        "/encoded",
        (req, res, next) -> {
          res.set("Content-Encoding", "gzip");
          next.run();
        });
    app.get(
        "/encoded-failing",
        (req, res) -> {
          res.set("Content-Encoding", "gzip").set("Content-Length", "7");
          throw new IllegalStateException("failed");
        });
    app.use("/immutable", StaticFiles.of(folder).maxAge("1y").immutable(true));
  }

  private static void describe(Response res) {
    res.set("Cache-Control", "public, max-age=600")
        .set("ETag", "\"v1\"")
        .set("Expires", "Fri, 01 Jan 2100 00:00:00 GMT")
        .set("Last-Modified", OLD)
        .set("Content-Language", "fr")
        .set("Content-Disposition", "attachment; filename=\"report.pdf\"");
  }

  private void compressed() {
    app.use("/zip", Compression.of());
    app.get("/zip/text", (req, res) -> res.type("text/plain").send(LONG));
    app.get("/zip/tagged", (req, res) -> res.type("text/plain").set("ETag", "\"v1\"").send(LONG));
    app.get(
        "/zip/fixed",
        (req, res) -> res.type("text/plain").set("Cache-Control", "no-transform").send(LONG));
    app.get(
        "/zip/pieces",
        (req, res) -> {
          res.type("text/plain").write("one,");
          res.end("two");
        });
    app.use("/zip/files", StaticFiles.of(folder));
  }

  private void heads() {
    app.get("/head/send", (req, res) -> res.send("hello"));
    app.get("/head/end", (req, res) -> res.end("hello"));
    app.get(
        "/head/pieces",
        (req, res) -> {
          res.write("one,");
          res.end("two");
        });
    app.get(
        "/head/failing",
        (req, res) -> {
          res.write("one,");
          throw new IllegalStateException("failed");
        });
  }

  private void lengths() {
    app.get("/length/send/3", (req, res) -> res.set("Content-Length", "3").send("hello"));
    app.get("/length/send/9", (req, res) -> res.set("Content-Length", "9").send("hello"));
    app.get(
        "/length/end/:length",
        (req, res) ->
            res.set("Content-Length", req.params().required("length", String.class)).end("hello"));
    app.get(
        "/length/write/:length",
        (req, res) -> {
          res.set("Content-Length", req.params().required("length", String.class)).write("hello");
          res.end();
        });
    app.get(
        "/length/status/:status",
        (req, res) -> res.status(req.params().required("status", Integer.class)).send("hello"));
  }

  private void types() {
    app.get("/type", (req, res) -> res.type(req.queryRequired("name", String.class)).end("x"));
  }

  private void bodies() {
    Handler form = (req, res) -> res.send(req.form("name"));
    Handler json =
        (req, res) -> {
          Named named = req.body(Named.class);
          res.send(named == null ? null : named.name());
        };
    Handler echo =
        (req, res) -> {
          Object body = req.body();
          res.json(body == null ? Map.of() : Map.of("body", body));
        };
    app.post("/bare/name", form);
    app.post("/form/name", BodyParsers.urlencoded(), form);
    app.post("/json/name", BodyParsers.json(), json);
    app.post("/echo/json", BodyParsers.json(), echo);
    app.post("/echo/loose", BodyParsers.json().strict(false), echo);
    app.post("/echo/form", BodyParsers.urlencoded(), echo);
    app.post("/echo/text", BodyParsers.text(), echo);
  }

  private void forms() {
    app.post(
        "/upload",
        Multipart.files(),
        (req, res) -> {
          List<Map<String, Object>> files = new ArrayList<>();
          List<Upload> uploads = req.attrOrNull(Multipart.FILES);
          for (Upload upload : uploads == null ? List.<Upload>of() : uploads) {
            Map<String, Object> file = new LinkedHashMap<>();
            file.put("field", upload.field());
            file.put("name", upload.name());
            file.put("size", upload.size());
            files.add(file);
          }
          Map<String, @Nullable Object> answer = new LinkedHashMap<>();
          answer.put("fields", req.body());
          answer.put("files", files);
          res.json(answer);
        });
  }

  private void routes() {
    Handler id = (req, res) -> res.send(req.params().get("id"));
    app.get("/café", (req, res) -> res.send("café"));
    app.get("/é/:id", id);
    app.get("/日本/*", (req, res) -> res.send("Japan"));
    app.get("/a b", (req, res) -> res.send("blank"));
    app.get("/$metadata", (req, res) -> res.send("metadata"));
    app.get("/users/:id", id);
    app.use("/mé", (req, res) -> res.send("mounted"));
    app.use("/pub/secret", (req, res) -> res.sendStatus(403));
    app.use("/pub", StaticFiles.of(folder));
  }

  private void settings() {
    App outer = new App();
    outer.set("etag", false).set("json spaces", 1).set("jsonp callback name", "cb");
    outer.set("subdomain offset", 1).enable("strict routing").enable("case sensitive routing");
    App inner = new App();
    App own = new App().set("etag", "strong");
    outer.use("/inner", inner);
    outer.use("/own", own);
    for (App each : List.of(outer, inner, own)) {
      each.get("/send", (req, res) -> res.send("sent"));
      each.get("/json", (req, res) -> res.json(Map.of("a", 1)));
      each.get("/jsonp", (req, res) -> res.jsonp(Map.of("a", 1)));
      each.get("/subdomains", (req, res) -> res.send(String.join(" ", req.subdomains())));
      each.get("/ip", (req, res) -> res.send(req.ip()));
    }
    app.use("/settings", outer);
  }

  private void sessions() {
    app.use("/session", Sessions.of("a secret of thirty-two characters"));
    app.get(
        "/session/begin",
        (req, res) -> {
          req.attr(Sessions.SESSION).set("cart", "full");
          res.send("begun");
        });
    app.get(
        "/session/me",
        (req, res) -> {
          Map<String, Object> session = req.attr(Sessions.SESSION).values();
          Object user = session.getOrDefault("user", "nobody");
          res.send(user + ", cart " + session.getOrDefault("cart", "empty"));
        });
    app.get(
        "/session/slow",
        (req, res) -> {
          TimeUnit.MILLISECONDS.sleep(SLOW_MILLIS);
          req.attr(Sessions.SESSION).set("seen", true);
          res.send("seen");
        });
    app.get(
        "/session/seen",
        (req, res) -> {
          req.attr(Sessions.SESSION).set("seen", true);
          res.send("seen");
        });
    app.post(
        "/session/login",
        (req, res) -> {
          req.attr(Sessions.SESSION).regenerate().set("user", "ann");
          res.send("in");
        });
    app.post(
        "/session/logout",
        (req, res) -> {
          req.attr(Sessions.SESSION).destroy();
          res.send("out");
        });
    app.get("/cookies", CookieParser.of(), (req, res) -> res.json(req.cookies()));
  }

  private void logs() {
    app.all("/log/send", (req, res) -> res.send("sent"));
    app.get("/log/end", (req, res) -> res.end("four"));
    app.get(
        "/log/slow",
        (req, res) -> {
          TimeUnit.MILLISECONDS.sleep(SLOW_MILLIS);
          res.status(400).send("late");
        });
    app.get("/log/empty", (req, res) -> res.status(204).end());
    app.get(
        "/log/failing",
        (req, res) -> {
          throw new IllegalStateException("failed");
        });
  }
}

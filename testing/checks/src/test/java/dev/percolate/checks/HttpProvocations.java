package dev.percolate.checks;

import static dev.percolate.checks.Provocation.PATH;

import dev.percolate.core.BodyFilter;
import dev.percolate.core.ChunkReader;
import dev.percolate.core.Conversions;
import dev.percolate.core.ETagFunction;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.FileOptions;
import dev.percolate.core.Handler;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.JsonDocument;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.RejectionListener;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.core.RequestTrace;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.core.Validation;
import dev.percolate.engine.DaemonTimer;
import dev.percolate.framework.App;
import dev.percolate.framework.ParamCallback;
import dev.percolate.framework.ParamHandler;
import dev.percolate.http.CookieOptions;
import dev.percolate.openapi.Api;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.TestConnection;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Callbacks of handlers, requests, responses, and of the application itself. */
final class HttpProvocations {

  private static final byte[] TEXT = "text".getBytes(StandardCharsets.UTF_8);

  private HttpProvocations() {}

  static void addTo(Map<String, Provocation> all) {
    steps(all);
    responses(all);
    requests(all);
    applications(all);
    loaded(all);
  }

  /** Adds the services that ServiceLoader finds on the class path of these tests. */
  private static void loaded(Map<String, Provocation> all) {
    all.put(
        "ContextCarrier",
        Provocation.of(
            (app, fault) -> {
              app.use(
                  PATH,
                  (req, res, next) -> {
                    LoadedCarrier.FAULT.set(fault);
                    try {
                      next.run();
                    } finally {
                      LoadedCarrier.FAULT.remove();
                    }
                  });
              app.use(PATH, (req, res, next) -> new Thread(next).start());
              app.get(PATH, handler((req, res) -> res.send("text")));
            },
            client -> {
              if (Call.get(PATH).to(client).status() != 200) {
                throw new AssertionError("the request did not continue");
              }
            }));
    all.put(
        "ContentCoding",
        Provocation.of(
            (app, fault) -> {
              LoadedCoding.fault = fault;
              Handler ok = (req, res) -> res.end();
              app.post(PATH, BodyParsers.text(), ok);
            },
            client ->
                Call.post(PATH)
                    .header("Content-Type", "text/plain")
                    .header("Content-Encoding", LoadedCoding.NAME)
                    .body("text")
                    .to(client)));
    all.put(
        "Settings.VALIDATION(Validation)",
        Provocation.of(
            (app, fault) -> {
              Validation failing =
                  (value, locale) -> {
                    fault.run();
                    return List.of();
                  };
              app.set(Settings.VALIDATION, failing);
              Handler ok = (req, res) -> res.end();
              app.post(PATH, Api.of("Takes an item").body(Item.class), ok);
            },
            client -> post(client, "application/json", "{\"number\":1}")));
  }

  /** A body that an API describes. */
  public record Item(int number) {}

  private static void steps(Map<String, Provocation> all) {
    all.put("*(Handler)", Provocation.of((app, fault) -> app.get(PATH, throwing(fault))));
    all.put(
        "*(Middleware)",
        Provocation.of(
            (app, fault) -> {
              Middleware step = (req, res, next) -> fault.run();
              app.use(PATH, step);
            }));
    all.put(
        "*(ErrorHandler)",
        Provocation.of(
            (app, fault) -> {
              Middleware failing = (req, res, next) -> next.fail(new Exception("handled"));
              ErrorHandler handler = (error, req, res, next) -> fault.run();
              app.use(PATH, failing);
              app.use(PATH, handler);
            }));
    all.put(
        "ErrorHandler.of(ErrorHandler.OfType)",
        Provocation.of(
            (app, fault) -> {
              Middleware failing = (req, res, next) -> next.fail(new Exception("handled"));
              app.use(PATH, failing);
              app.use(
                  PATH, ErrorHandler.of(Exception.class, (error, req, res, next) -> fault.run()));
            }));
    all.put(
        "Middleware.async(AsyncHandler)",
        Provocation.of(
            (app, fault) -> app.get(PATH, Middleware.async((req, res) -> fault.raise()))));
    all.put(
        "Response.format(Handler)",
        Provocation.of(
            (app, fault) ->
                app.get(PATH, handler((req, res) -> res.format(Map.of("text", throwing(fault)))))));
  }

  private static void responses(Map<String, Provocation> all) {
    all.put("Response.onHeaders(Runnable)", answering((res, fault) -> res.onHeaders(fault::run)));
    all.put("Response.onFinish(Runnable)", answering((res, fault) -> res.onFinish(fault::run)));
    all.put(
        "Response.filter(BodyFilter)",
        Provocation.of(
            (app, fault) -> {
              Handler writing =
                  (req, res) -> {
                    res.onHeaders(() -> res.filter(new ThrowingFilter(fault)));
                    res.write("text").flush(); // so that the client sees the start of a response
                    res.end();
                  };
              app.get(PATH, writing);
            }));
    all.put(
        "Response.offer(Exchange.OnWritten)",
        Provocation.of(
            (app, fault) -> {
              Handler offering =
                  (req, res) -> {
                    res.flushHeaders();
                    res.offer(TEXT, failure -> fault.run());
                  };
              app.get(PATH, offering);
            }));
    all.put(
        "Response.render(BiConsumer)",
        Provocation.of(
            (app, fault) -> {
              app.engine("txt", (file, locals) -> "text");
              Handler rendering =
                  (req, res) -> res.render("none.txt", Map.of(), (error, text) -> fault.run());
              app.get(PATH, rendering);
            }));
    all.put(
        "*.headers(FileOptions.HeaderHook)",
        Provocation.of(
            (app, fault) -> {
              FileOptions options =
                  FileOptions.none()
                      .root(Modules.ROOT)
                      .headers((headers, file, attributes) -> fault.run());
              app.get(PATH, (req, res, next) -> res.sendFile("pom.xml", options, next));
            }));
    all.put(
        "ETagFunction",
        Provocation.of(
            (app, fault) -> {
              ETagFunction tag = (body, charset) -> fault.raise();
              app.set("etag", tag);
              app.get(PATH, handler((req, res) -> res.send("text")));
            }));
    all.put(
        "JsonCodec.WriteOptions.new(JsonCodec.Replacer)",
        Provocation.of(
            (app, fault) -> {
              JsonCodec.Replacer replacer = (name, value) -> fault.raise();
              app.set(Settings.JSON_REPLACER, replacer);
              app.get(PATH, handler((req, res) -> res.json(Map.of("a", 1))));
            }));
    all.put(
        "CookieOptions.encode(UnaryOperator)",
        Provocation.of(
            (app, fault) ->
                app.get(
                    PATH,
                    handler(
                        (req, res) ->
                            res.cookie("a", "b", CookieOptions.none().encode(x -> fault.raise()))
                                .end()))));
  }

  private static void requests(Map<String, Provocation> all) {
    all.put(
        "Request.onShutdown(Runnable)",
        Provocation.of(
            (app, fault) -> {
              Handler draining =
                  (req, res) -> {
                    Runnable unused = req.onShutdown(fault::run);
                    res.end();
                  };
              app.get(PATH, draining);
            }));
    all.put(
        "Request.schedule(Runnable)",
        Provocation.of(
            (app, fault) ->
                app.get(PATH, (req, res, next) -> req.schedule(Duration.ofMillis(1), fault::run))));
    all.put(
        "Request.read(ChunkReader)",
        Provocation.of(
            (app, fault) -> app.post(PATH, (req, res, next) -> req.read(new ThrowingReader(fault))),
            client -> Call.post(PATH).body("text").to(client)));
    all.put(
        "Conversions.with(Function)",
        Provocation.of(
            (app, fault) -> {
              app.set(
                  Conversions.SETTING,
                  Conversions.standard()
                      .with(StringBuilder.class, "a text", text -> fault.raise()));
              app.get(
                  PATH, handler((req, res) -> res.send("" + req.query("a", StringBuilder.class))));
            },
            client -> Call.get(PATH + "?a=b").to(client)));
    all.put(
        "RequestControl.jsonBody(JsonDocument)",
        Provocation.of(
            (app, fault) -> {
              JsonDocument document = Throwing.proxy(JsonDocument.class, fault);
              app.use(
                  PATH,
                  (req, res, next) -> {
                    RequestControl.jsonBody(req, document);
                    next.run();
                  });
              app.get(PATH, handler((req, res) -> res.send("" + req.body())));
            }));
    all.put(
        "RequestControl.trace(RequestTrace)",
        Provocation.of(
            (app, fault) -> {
              RequestTrace trace = Throwing.proxy(RequestTrace.class, fault);
              app.use(
                  PATH,
                  (req, res, next) -> {
                    RequestControl.trace(req, trace);
                    next.run();
                  });
              app.get(PATH, handler((req, res) -> res.send("text")));
            }));
    timers(all);
    all.put(
        "RejectionListener",
        Provocation.of(
            (app, fault) -> app.use(new ThrowingListener(fault)),
            client -> {
              try (TestConnection connection = Call.get("/" + "u".repeat(20_000)).open(client)) {
                connection.reply();
              }
            }));
  }

  private static void timers(Map<String, Provocation> all) {
    Duration soon = Duration.ofMillis(1);
    all.put(
        "DaemonTimer.after(Runnable)",
        Provocation.of((app, fault) -> time(app, () -> DaemonTimer.after(soon, fault::run))));
    all.put(
        "DaemonTimer.afterBlocking(Runnable)",
        Provocation.of(
            (app, fault) -> time(app, () -> DaemonTimer.afterBlocking(soon, fault::run))));
    Runnable nothing = () -> {};
    all.put(
        "DaemonTimer.execute(Runnable)",
        Provocation.of(
            (app, fault) ->
                time(
                    app,
                    () -> {
                      DaemonTimer.execute(fault::run);
                      return nothing;
                    })));
  }

  private static void time(App app, Supplier<Runnable> start) {
    Handler timing =
        (req, res) -> {
          Runnable unused = start.get();
          res.end();
        };
    app.get(PATH, timing);
  }

  private static void applications(Map<String, Provocation> all) {
    all.put(
        "App.onClose(AutoCloseable)",
        Provocation.of(
            (app, fault) -> {
              for (int i = 0; i < Fault.COUNT; i++) {
                app.onClose(fault::run);
              }
            }));
    all.put(
        "App.param(ParamCallback)",
        byParameter(
            (app, fault) -> {
              ParamCallback callback = (req, res, next, value, name) -> fault.run();
              app.param("id", callback);
            }));
    all.put(
        "App.param(ParamHandler)",
        byParameter(
            (app, fault) -> {
              ParamHandler callback = (req, res, next, value) -> fault.run();
              app.param("id", callback);
            }));
    all.put(
        "App.engine(TemplateEngine)",
        Provocation.of(
            (app, fault) -> {
              app.set("views", Modules.ROOT.toString());
              app.engine("xml", (file, locals) -> fault.raise());
              app.get(PATH, handler((req, res) -> res.render("pom.xml")));
            }));
    all.put(
        "*.render(BiConsumer)",
        Provocation.of(
            (app, fault) -> {
              app.engine("txt", (file, locals) -> "text");
              app.get(
                  PATH,
                  handler(
                      (req, res) ->
                          app.render("none.txt", Map.of(), (error, text) -> fault.run())));
            }));
  }

  private static Provocation byParameter(Provocation.Definition define) {
    return Provocation.of(
        (app, fault) -> {
          define.in(app, fault);
          app.get("/items/:id", handler((req, res) -> res.send("item")));
        },
        client -> Call.get("/items/1").to(client));
  }

  /** Registers a callback on a response. */
  @FunctionalInterface
  private interface OfResponse {

    void register(Response res, Fault fault);
  }

  private static Provocation answering(OfResponse registering) {
    return Provocation.of(
        (app, fault) ->
            app.get(
                PATH,
                handler(
                    (req, res) -> {
                      registering.register(res, fault);
                      res.send("text");
                    })));
  }

  /** Selects one of the overloads. */
  static Handler handler(Handler handler) {
    return handler;
  }

  private static Handler throwing(Fault fault) {
    return (req, res) -> fault.run();
  }

  /** A filter that fails at the end of the body. */
  private record ThrowingFilter(Fault fault) implements BodyFilter {

    @Override
    public ByteBuffer write(ByteBuffer bytes) {
      return bytes;
    }

    @Override
    public ByteBuffer flush(ByteBuffer bytes) {
      return bytes;
    }

    @Override
    public ByteBuffer end(ByteBuffer bytes) {
      return fault.raise();
    }
  }

  /** A reader that fails with the first chunk, and passes the failure on as its middleware does. */
  private record ThrowingReader(Fault fault) implements ChunkReader {

    @Override
    public boolean chunk(ByteBuffer chunk) {
      return fault.raise();
    }

    @Override
    public void done(@Nullable Throwable failure) throws RuntimeException {
      throw new IllegalStateException(failure);
    }
  }

  /** Middleware that is notified of requests that the server rejected. */
  private record ThrowingListener(Fault fault) implements Middleware, RejectionListener {

    @Override
    public void handle(Request req, Response res, Next next) {
      next.run();
    }

    @Override
    public void onRejected(Request req, Response res) {
      fault.run();
    }
  }

  static void post(Client client, String type, String body) {
    Call.post(PATH).header("Content-Type", type).body(body).to(client);
  }
}

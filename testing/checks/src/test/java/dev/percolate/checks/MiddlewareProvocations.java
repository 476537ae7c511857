package dev.percolate.checks;

import static dev.percolate.checks.HttpProvocations.handler;
import static dev.percolate.checks.Provocation.PATH;

import dev.percolate.auth.ApiKeyAuth;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.core.store.IdempotencyStore;
import dev.percolate.core.store.RateLimitStore;
import dev.percolate.core.store.SessionStore;
import dev.percolate.logger.LogSink;
import dev.percolate.logger.RequestLogger;
import dev.percolate.middleware.BasicAuth;
import dev.percolate.middleware.Compression;
import dev.percolate.middleware.CookieParser;
import dev.percolate.middleware.Cors;
import dev.percolate.middleware.Csrf;
import dev.percolate.middleware.DirectoryListing;
import dev.percolate.middleware.ErrorPages;
import dev.percolate.middleware.Health;
import dev.percolate.middleware.Idempotency;
import dev.percolate.middleware.LoadShedding;
import dev.percolate.middleware.RateLimit;
import dev.percolate.middleware.RequestId;
import dev.percolate.middleware.ResponseTime;
import dev.percolate.middleware.Sessions;
import dev.percolate.middleware.StaticFiles;
import dev.percolate.middleware.Timeout;
import dev.percolate.multipart.Multipart;
import dev.percolate.observability.Metrics;
import dev.percolate.parsers.BodyParser;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Callbacks of loggers, parsers and other middleware. */
final class MiddlewareProvocations {

  private static final Duration HOUR = Duration.ofHours(1);

  private MiddlewareProvocations() {}

  static void addTo(Map<String, Provocation> all) {
    loggers(all);
    parsers(all);
    guards(all);
    stores(all);
    others(all);
  }

  private static void loggers(Map<String, Provocation> all) {
    all.put(
        "RequestLogger.*(LineFormat)",
        using(fault -> quiet(RequestLogger.of((tokens, req, res) -> fault.raise())))
            .toldOtherwise());
    all.put(
        "RequestLogger.*(Token)",
        using(
                fault ->
                    quiet(
                        RequestLogger.of(":mine")
                            .with("mine", (req, res, arguments) -> fault.raise())))
            .toldOtherwise());
    all.put(
        "RequestLogger.skip(BiPredicate)",
        using(fault -> quiet(RequestLogger.of("tiny").skip((req, res) -> fault.raise())))
            .toldOtherwise());
    all.put(
        "RequestLogger.to(Consumer)",
        using(fault -> RequestLogger.of("tiny").to(line -> fault.run())).toldOtherwise());
    all.put(
        "LogSink.of(Consumer)",
        using(fault -> RequestLogger.of("tiny").to(LogSink.of(line -> fault.run())))
            .toldOtherwise());
    all.put(
        "LogSink.direct(Consumer)",
        using(fault -> RequestLogger.of("tiny").to(LogSink.direct(line -> fault.run())))
            .toldOtherwise());
  }

  private static RequestLogger quiet(RequestLogger logger) {
    return logger.to(LogSink.direct(line -> {}));
  }

  private static void parsers(Map<String, Provocation> all) {
    all.put("BodyParser", posting(fault -> new ThrowingParser(fault), "{}"));
    all.put(
        "BodyParser.type(Predicate)",
        posting(fault -> BodyParsers.json().type(req -> fault.raise()), "{}"));
    all.put(
        "BodyParser.verify(Verifier)",
        posting(fault -> BodyParsers.json().verify((req, res, bytes, charset) -> fault.run()), "{}")
            .toldOtherwise());
    all.put(
        "JsonParser.reviver(JsonCodec.Replacer)",
        posting(fault -> BodyParsers.json().reviver((name, value) -> fault.raise()), "{\"a\":1}")
            .toldOtherwise());
    all.put(
        "Multipart.stream(FileHandler)",
        Provocation.of(
            (app, fault) -> {
              app.post(PATH, Multipart.stream((req, file) -> fault.raise()), ok());
            },
            client -> Call.post(PATH).file("a", "a.txt", "text/plain", new byte[3]).to(client)));
  }

  private static void guards(Map<String, Provocation> all) {
    Provocation.Visit withPassword =
        client -> Call.get(PATH).header("Authorization", "Basic YTpi").to(client);
    all.put(
        "BasicAuth.of(BiPredicate)",
        using(fault -> BasicAuth.of((user, password) -> fault.raise()), withPassword));
    all.put(
        "BasicAuth.async(BasicAuth.AsyncCheck)",
        using(fault -> BasicAuth.async((user, password) -> fault.raise()), withPassword));
    Provocation.Visit withKey = client -> Call.get(PATH).header("X-API-Key", "k").to(client);
    all.put(
        "ApiKeyAuth.of(ApiKeyAuth.Lookup)",
        using(fault -> ApiKeyAuth.of(hash -> fault.raise()), withKey));
    all.put(
        "ApiKeyAuth.async(ApiKeyAuth.AsyncLookup)",
        using(fault -> ApiKeyAuth.async(hash -> fault.raise()), withKey));
    all.put(
        "Cors.of(Predicate)",
        using(
            fault -> Cors.of(origin -> fault.raise()),
            client -> Call.get(PATH).header("Origin", "https://a.example").to(client)));
    all.put(
        "RateLimit.client(Function)",
        using(fault -> RateLimit.of(1000, HOUR).client(req -> fault.raise())));
    all.put(
        "LoadShedding.priority(Function)",
        using(fault -> LoadShedding.of(HOUR).priority(req -> fault.raise())));
    all.put(
        "RateLimit.cost(ToIntFunction)",
        using(fault -> RateLimit.of(1000, HOUR).cost(req -> fault.raise())));
    all.put(
        "Csrf.value(Function)",
        Provocation.of(
            (app, fault) -> {
              app.use(PATH, Sessions.of("secret"));
              app.post(PATH, Csrf.of().value(req -> fault.raise()), ok());
            },
            client -> Call.post(PATH).to(client)));
    all.put(
        "Csrf.sessionIdentifier(Function)",
        Provocation.of(
            (app, fault) -> {
              app.use(PATH, CookieParser.of("secret"));
              Csrf csrf = Csrf.of().cookie().sessionIdentifier(req -> fault.raise());
              Handler token = (req, res) -> res.send(Csrf.token(req));
              app.get(PATH, csrf, token);
            }));
    all.put(
        "Idempotency.client(Function)",
        idempotent(fault -> idempotency(fault).client(req -> fault.raise())));
  }

  private static void stores(Map<String, Provocation> all) {
    all.put("Idempotency.of(IdempotencyStore)", idempotent(MiddlewareProvocations::idempotency));
    all.put(
        "RateLimit.store(RateLimitStore)",
        using(
                fault ->
                    RateLimit.of(1000, HOUR)
                        .client(Request::remoteAddress)
                        .store(Throwing.proxy(RateLimitStore.class, fault)))
            .toldOtherwise());
    all.put(
        "Sessions.store(SessionStore)",
        Provocation.of(
                (app, fault) -> {
                  app.use(
                      PATH, Sessions.of("secret").store(Throwing.proxy(SessionStore.class, fault)));
                  app.get(
                      PATH,
                      handler(
                          (req, res) -> {
                            req.attr(Sessions.SESSION).set("a", "b");
                            res.send("text");
                          }));
                })
            .toldOtherwise());
    all.put(
        "Sessions.genid(Function)",
        Provocation.of(
            (app, fault) -> {
              app.use(PATH, Sessions.of("secret").genid(req -> fault.raise()));
              app.get(
                  PATH,
                  handler(
                      (req, res) -> {
                        req.attr(Sessions.SESSION).set("a", "b");
                        res.send("text");
                      }));
            }));
    all.put(
        "Session.update(Function)",
        Provocation.of(
            (app, fault) -> {
              app.use(PATH, Sessions.of("secret"));
              app.get(
                  PATH,
                  handler(
                      (req, res) -> {
                        Object unused = req.attr(Sessions.SESSION).update(session -> fault.raise());
                        res.send("text");
                      }));
            }));
  }

  private static Idempotency idempotency(Fault fault) {
    return Idempotency.of(Throwing.proxy(IdempotencyStore.class, fault))
        .client(Request::remoteAddress);
  }

  private static void others(Map<String, Provocation> all) {
    all.put(
        "Compression.filter(BiPredicate)",
        using(
            fault -> Compression.of().filter((req, res) -> fault.raise()),
            client -> Call.get(PATH).header("Accept-Encoding", "gzip").to(client)));
    all.put(
        "CookieParser.decode(UnaryOperator)",
        using(
                fault -> CookieParser.of().decode(text -> fault.raise()),
                client -> Call.get(PATH).header("Cookie", "a=b%20c").to(client))
            .toldOtherwise());
    all.put(
        "DirectoryListing.filter(DirectoryListing.Filter)",
        using(
            fault ->
                DirectoryListing.of(Modules.ROOT)
                    .filter((name, index, names, directory) -> fault.raise()),
            client -> Call.get(PATH + "/").to(client)));
    all.put(
        "StaticFiles.headers(FileOptions.HeaderHook)",
        using(
            fault ->
                StaticFiles.of(Modules.ROOT).headers((headers, file, attributes) -> fault.run()),
            client -> Call.get(PATH + "/pom.xml").to(client)));
    all.put(
        "ErrorPages.log(ErrorPages.Listener)",
        Provocation.of(
            (app, fault) -> {
              Middleware failing = (req, res, next) -> next.fail(new Exception("handled"));
              app.use(PATH, failing);
              app.use(PATH, ErrorPages.of().log((error, text, req, res) -> fault.run()));
            }));
    all.put(
        "*(Health.Check)",
        Provocation.of((app, fault) -> app.get(PATH, Health.of("mine", () -> fault.run())))
            .toldOtherwise());
    all.put(
        "Metrics.text(Supplier)",
        Provocation.of((app, fault) -> app.get(PATH, Metrics.text(() -> fault.raise()))));
    all.put(
        "Metrics.gauge(LongSupplier)",
        Provocation.of(
                (app, fault) -> {
                  SimpleMeterRegistry registry = new SimpleMeterRegistry();
                  app.use(Metrics.of(registry).gauge("mine", () -> fault.raise()));
                  app.get(
                      PATH,
                      handler(
                          (req, res) -> {
                            registry.get("mine").gauge().value();
                            res.send("text");
                          }));
                })
            .toldOtherwise());
    all.put(
        "RequestId.generator(Supplier)", using(fault -> RequestId.of().generator(fault::raise)));
    all.put(
        "ResponseTime.of(ResponseTime.Listener)",
        using(fault -> ResponseTime.of((req, res, millis) -> fault.run())));
    all.put(
        "Timeout.onTimeout(Consumer)",
        Provocation.of(
            (app, fault) -> {
              app.use(PATH, Timeout.of(1).onTimeout(req -> fault.run()));
              app.get(PATH, (req, res, next) -> {});
            }));
  }

  /** Creates middleware with a callback that throws the fault. */
  @FunctionalInterface
  private interface Step {

    Middleware of(Fault fault);
  }

  private static Provocation using(Step step) {
    return using(step, client -> Call.get(PATH).to(client));
  }

  private static Provocation using(Step step, Provocation.Visit visit) {
    return Provocation.of(
        (app, fault) -> {
          app.use(PATH, step.of(fault));
          app.get(PATH, ok());
        },
        visit);
  }

  private static Provocation posting(Step step, String json) {
    return Provocation.of(
        (app, fault) -> app.post(PATH, step.of(fault), ok()),
        client -> HttpProvocations.post(client, "application/json", json));
  }

  private static Provocation idempotent(Step step) {
    return Provocation.of(
        (app, fault) -> app.post(PATH, step.of(fault), ok()),
        client -> Call.post(PATH).header("Idempotency-Key", "key-1").to(client));
  }

  private static Handler ok() {
    return (req, res) -> res.send("text");
  }

  /** A parser that fails. */
  private static final class ThrowingParser extends BodyParser<ThrowingParser> {

    private final Fault fault;

    ThrowingParser(Fault fault) {
      super("application/json");
      this.fault = fault;
    }

    @Override
    protected void parse(Request req, byte[] bytes, String text, @Nullable String charset) {
      fault.run();
    }
  }
}

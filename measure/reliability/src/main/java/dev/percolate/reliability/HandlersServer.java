package dev.percolate.reliability;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.store.TopicBus;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.logger.RequestLogger;
import dev.percolate.middleware.Compression;
import dev.percolate.middleware.MemoryTopics;
import dev.percolate.middleware.Timeout;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.redis.Redis;
import dev.percolate.reliability.Ledger.Entry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Serves each {@link HandlerKind} at a path with its name, and keeps a {@link Ledger} of all
 * requests, which is available at {@code /ledger}. {@code reliability/mixed-handlers} starts it.
 *
 * <p>A request has an id in {@code X-Id}, and sets the size of its response, an {@link OwnText},
 * with {@code ?size=}. System properties: {@code port}, {@code threads}, {@code announce} in
 * milliseconds; {@code redis}, the URL of the server that carries the topic, which is local by
 * default; {@code ledger}, the folder for the ledger at the end of the server.
 */
@SuppressWarnings("FutureReturnValueIgnored") // an exception lost that way shows as a hung request
final class HandlersServer {

  /** The timeout for the start of a response in routes with a timeout middleware. */
  private static final int WATCHED_MS = 150;

  /** The largest distance from the timeout at which a racing handler responds. */
  private static final int RACE_MICROS = 3_000;

  /** The timeout of a Redis command: longer than usual, because all share a busy machine. */
  private static final Duration REDIS_WAIT = Duration.ofSeconds(1);

  private static final int HOPS = 4;
  private static final int LARGEST_BODY = 1 << 20;
  private static final Logger LOG = Logger.getLogger("dev.percolate");

  private final boolean loops;
  private final Path file;
  private final Ledger ledger;
  private final LiveHandlers live;
  private final ExecutorService others = Executors.newFixedThreadPool(8);
  private final ScheduledExecutorService later = Executors.newScheduledThreadPool(2);
  private final App app = new App().set("etag", false);

  /** Responds to a request, or starts a task that does. */
  @FunctionalInterface
  private interface Answering {
    void answer(Request req, Response res) throws Exception;
  }

  private HandlersServer(boolean loops, Path file, TopicBus bus, @Nullable Path folder) {
    this.loops = loops;
    this.ledger = new Ledger(folder != null);
    this.file = file;
    this.live = new LiveHandlers(bus);
    app.get("/ledger", (req, res) -> res.type("text/plain").send(ledger.text()));
    app.get("/conversations", (req, res) -> res.type("text/plain").send(ledger.conversations()));
    app.use(RequestLogger.of(Ledger.FORMAT).to(ledger::line));
    app.use((Middleware) this::enter);
    addResponses();
    addFaults();
    addPieces();
    addBodies();
    addTimes();
    live.addTo(app);
    app.use((error, req, res, next) -> entry(req).step(() -> fail(error, req, res, next)));
  }

  public static void main(String[] args) throws Exception {
    LOG.setLevel(Level.OFF); // much fails here on purpose
    String threads = System.getProperty("threads", "virtual");
    String redis = System.getProperty("redis");
    String ledger = System.getProperty("ledger");
    Path file = Files.createTempFile("handlers", ".txt");
    file.toFile().deleteOnExit();
    Files.write(file, OwnText.file());
    ListenOptions options =
        ListenOptions.ofPort(Integer.getInteger("port", 8080))
            .threads(threads)
            .shutdownDelay(Duration.ofMillis(Integer.getInteger("announce", 0)))
            .responseTimeout(Duration.ofMillis(HandlerKind.ANSWER_MS));
    TopicBus bus = redis == null ? MemoryTopics.of() : connected(redis).topics();
    Path folder = ledger == null ? null : Path.of(ledger);
    HandlersServer handlers = new HandlersServer(threads.equals("event loop"), file, bus, folder);
    if (folder != null) {
      handlers.app.onClose(() -> handlers.ledger.write(folder));
    }
    Server server = handlers.app.listen(options);
    System.out.println("ready " + server.uri());
  }

  /** Connects to Redis first, so that the server is ready when its first health check arrives. */
  private static Redis connected(String url) throws InterruptedException {
    Redis redis = Redis.of(url, "handlers", REDIS_WAIT);
    while (true) {
      try {
        redis.ping();
        return redis;
      } catch (IOException e) {
        Thread.sleep(REDIS_WAIT.toMillis());
      }
    }
  }

  private void addResponses() {
    on(HandlerKind.SYNC, this::send);
    on(
        HandlerKind.BLOCKING,
        (req, res) -> {
          Thread.sleep(random(20));
          send(req, res);
        });
    on(HandlerKind.ELSEWHERE, (req, res) -> others.execute(() -> send(req, res)));
    on(HandlerKind.LATE, (req, res) -> soon(random(20_000), () -> send(req, res)));
    on(
        HandlerKind.TWICE,
        (req, res) -> {
          send(req, res);
          if (trySend(req, res)) {
            entry(req).fault("got two responses");
          }
        });
    on(
        HandlerKind.BOTH,
        (req, res) -> {
          others.execute(() -> trySend(req, res));
          others.execute(() -> trySend(req, res));
        });
    on(HandlerKind.FILE, (req, res) -> res.sendFile(file));
    on(HandlerKind.RANGE, (req, res) -> res.sendFile(file));
  }

  private void addFaults() {
    on(
        HandlerKind.THROWS_BEFORE,
        (req, res) -> {
          throw new IllegalStateException("on purpose");
        });
    on(
        HandlerKind.THROWS_AFTER,
        (req, res) -> {
          send(req, res);
          throw new IllegalStateException("on purpose");
        });
    on(
        HandlerKind.THROWS_MIDWAY,
        (req, res) -> {
          res.write(text(req));
          throw new IllegalStateException("on purpose");
        });
    use(
        HandlerKind.FAILS_ELSEWHERE,
        (req, res, next) -> others.execute(() -> next.fail(new IOException("on purpose"))));
    use(
        HandlerKind.NEXT_TWICE,
        (req, res, next) -> {
          next.run();
          next.run();
        });
    on(HandlerKind.NEXT_TWICE, (req, res) -> others.execute(() -> send(req, res)));
    for (int i = 0; i < HOPS; i += 2) {
      use(HandlerKind.HOPPING, (req, res, next) -> others.execute(next));
      use(HandlerKind.HOPPING, (req, res, next) -> next.run());
    }
    on(HandlerKind.HOPPING, this::send);
  }

  private void addPieces() {
    on(HandlerKind.STREAM, this::stream);
    on(HandlerKind.STREAM_ELSEWHERE, (req, res) -> others.execute(() -> tryStream(req, res)));
    app.use(path(HandlerKind.GZIP), Compression.of());
    app.use(path(HandlerKind.GZIP_STREAM), Compression.of());
    on(HandlerKind.GZIP, this::send);
    on(HandlerKind.GZIP_STREAM, this::stream);
  }

  private void addBodies() {
    app.use(path(HandlerKind.ECHO_PARSER), BodyParsers.raw().limit(LARGEST_BODY));
    on(HandlerKind.ECHO_PARSER, (req, res) -> res.send(req.body()));
    on(HandlerKind.ECHO_READER, (req, res) -> req.read(BodyEcho.whole(entry(req), res)));
    on(HandlerKind.ECHO_PIECES, (req, res) -> req.read(BodyEcho.atOnce(entry(req), res)));
    on(
        HandlerKind.ECHO_PUBLISHER,
        (req, res) -> req.publisher().subscribe(BodyEcho.whole(entry(req), res)));
    on(
        HandlerKind.ECHO_STREAM,
        (req, res) -> {
          if (loops) {
            others.execute(() -> echo(req, res)); // the event loop must not wait for the body
          } else {
            echo(req, res);
          }
        });
    app.use(path(HandlerKind.PUBLISH), BodyParsers.raw().limit(LARGEST_BODY));
    on(HandlerKind.PUBLISH, this::publish);
    on(HandlerKind.UNREAD, this::send);
    on(
        HandlerKind.PARTLY_READ,
        (req, res) -> BodyEcho.first(entry(req), req, () -> send(req, res)));
  }

  private void addTimes() {
    app.use(path(HandlerKind.NEVER_WATCHED), Timeout.of(WATCHED_MS));
    app.use(path(HandlerKind.RACE_WATCHED), Timeout.of(WATCHED_MS));
    on(HandlerKind.NEVER, (req, res) -> {});
    on(HandlerKind.NEVER_WATCHED, (req, res) -> {});
    on(HandlerKind.RACE, (req, res) -> race(HandlerKind.ANSWER_MS, req, res));
    on(HandlerKind.RACE_WATCHED, (req, res) -> race(WATCHED_MS, req, res));
  }

  private void on(HandlerKind kind, Answering handler) {
    use(kind, (req, res, next) -> handler.answer(req, res));
  }

  private void use(HandlerKind kind, Middleware step) {
    Middleware noted = (req, res, next) -> entry(req).step(() -> step.handle(req, res, next));
    app.use(path(kind), noted);
  }

  private static String path(HandlerKind kind) {
    return "/" + kind.text();
  }

  private void enter(Request req, Response res, Next next) throws Exception {
    String id = req.get("X-Id");
    if (id == null) {
      next.run();
      return;
    }
    Entry entry = ledger.enter(id, req.path().substring(1));
    req.attr(Ledger.ENTRY, entry);
    res.set("X-Id", id).type("text/plain");
    res.onHeaders(entry::answered);
    res.onFinish(entry::ended);
    entry.step(next::run);
  }

  private void fail(Throwable error, Request req, Response res, Next next) {
    if (res.headersSent()) {
      next.fail(error);
    } else {
      res.status(error instanceof HttpError known ? known.status() : 500);
      send(req, res);
    }
  }

  private void send(Request req, Response res) {
    if (!trySend(req, res)) {
      expectTimeOver(req, "was rejected");
    }
  }

  private static boolean trySend(Request req, Response res) {
    try {
      res.send(text(req));
      return true;
    } catch (IllegalStateException second) {
      return false;
    }
  }

  private void stream(Request req, Response res) throws IOException {
    String text = text(req);
    int piece = 1 + text.length() / (1 + random(20));
    for (int at = 0; at < text.length(); at += piece) {
      res.write(text.substring(at, Math.min(text.length(), at + piece)));
      if (random(4) == 0) {
        res.flush();
      }
    }
    res.end();
  }

  private void tryStream(Request req, Response res) {
    try {
      stream(req, res);
    } catch (IOException gone) {
      LOG.log(Level.FINE, "the client disconnected", gone);
    } catch (IllegalStateException second) {
      expectTimeOver(req, "was rejected");
    }
  }

  private void echo(Request req, Response res) {
    try (InputStream body = req.inputStream(LARGEST_BODY)) {
      res.send(body.readAllBytes());
    } catch (IOException gone) {
      LOG.log(Level.FINE, "the client disconnected", gone);
    } catch (IllegalStateException second) {
      expectTimeOver(req, "was rejected");
    }
  }

  private void publish(Request req, Response res) throws IOException {
    byte[] body = (byte[]) req.body();
    long number = live.publish(new String(body, US_ASCII));
    try {
      res.set("X-Topic-Id", Long.toString(number)).send(body);
    } catch (IllegalStateException second) {
      expectTimeOver(req, "was rejected");
    }
  }

  private void race(int milliseconds, Request req, Response res) {
    int micros = milliseconds * 1_000 + random(2 * RACE_MICROS) - RACE_MICROS;
    soon(micros, () -> trySend(req, res));
  }

  private void soon(int micros, Runnable response) {
    later.schedule(() -> others.execute(response), micros, TimeUnit.MICROSECONDS);
  }

  /** Records a fault that is allowed only if a timeout has already sent the response. */
  private static void expectTimeOver(Request req, String fault) {
    Entry entry = entry(req);
    if (!HandlerKind.of(entry.kind).mayTimeOut() && !entry.isOlderThan(HandlerKind.ANSWER_MS / 2)) {
      entry.fault(fault);
    }
  }

  private static String text(Request req) {
    return OwnText.of(entry(req).id, Integer.parseInt(String.valueOf(req.query("size"))));
  }

  private static Entry entry(Request req) {
    return req.attr(Ledger.ENTRY);
  }

  private static int random(int bound) {
    return ThreadLocalRandom.current().nextInt(bound);
  }
}

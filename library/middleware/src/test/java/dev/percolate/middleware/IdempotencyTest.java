package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.ErrorResponse;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.core.Response;
import dev.percolate.core.TraitsProvider;
import dev.percolate.core.store.IdempotencyStore;
import dev.percolate.engine.ListenOptions;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests requests that are sent several times and run once. */
final class IdempotencyTest {

  /** Sets a body like a body parser. */
  private static final Middleware PARSED =
      (req, res, next) -> {
        RequestControl.body(req, Map.of("sent", String.valueOf(req.get("X-Body"))));
        next.run();
      };

  private final AtomicInteger done = new AtomicInteger();
  private final Handler order =
      (req, res) -> {
        Object ignored = res.cookie("a", "b").set("X-Order", "7").location("/orders/7");
        res.status(201).json(Map.of("order", done.incrementAndGet()));
      };
  private final Idempotency once =
      Idempotency.of(MemoryIdempotency.of()).anonymous().waitTimeout(Duration.ZERO);

  private static Call post(String key) {
    return Call.post("/orders").header("Idempotency-Key", key);
  }

  private Reply play(Call call, Middleware... rest) {
    List<Middleware> steps = new ArrayList<>(List.of(PARSED));
    steps.addAll(List.of(rest));
    return Played.reply(call, steps.toArray(Middleware[]::new));
  }

  private static String text(Reply reply) {
    return reply.status() + " " + reply.text();
  }

  @Test
  void theFirstResponseIsSentAgain() {
    Reply first = play(post("k"), once, order);
    Reply second = play(post("\"k\""), once, order);
    assertEquals("201 {\"order\":1}", text(first));
    assertEquals("201 {\"order\":1}", text(second));
    for (String name : List.of("X-Order", "Location", "Content-Type", "Content-Length", "ETag")) {
      assertEquals(first.header(name), second.header(name), name);
    }
    assertNull(first.header("Idempotency-Replayed"));
    assertEquals("true", second.header("Idempotency-Replayed"));
    assertNull(second.header("Set-Cookie"));
    assertEquals("201 {\"order\":2}", text(play(post("l"), once, order)));
    assertEquals("201 {\"order\":3}", text(play(Call.post("/orders"), once, order)));
  }

  @Test
  void aKeyIsForOneRequestOfOneClient() {
    play(post("k"), once, order);
    String other = "422 this Idempotency-Key was used for another request";
    assertEquals(other, text(play(post("k").header("X-Body", "x"), once, order)));
    Call elsewhere = Call.post("/orders?x=1").header("Idempotency-Key", "k");
    assertEquals(other, text(play(elsewhere, once, order)));
    assertEquals(
        other, text(play(Call.patch("/orders").header("Idempotency-Key", "k"), once, order)));
    Call bob = post("k").header("Authorization", "Basic Ym9iOmJvYg==");
    assertEquals("201 {\"order\":2}", text(play(bob, once, order)));
    Idempotency byUser = once.client(req -> req.get("X-User"));
    assertEquals("201 {\"order\":3}", text(play(post("k").header("X-User", "eve"), byUser, order)));
  }

  @Test
  void otherRequestsGet409WhileTheFirstRuns() {
    Handler within =
        (req, res) -> {
          Reply meanwhile = play(post("k"), once, order);
          assertEquals("1", meanwhile.header("Retry-After"));
          res.send(text(meanwhile));
        };
    assertEquals(
        "200 409 the request with this Idempotency-Key is still running",
        text(play(post("k"), once, within)));
    assertEquals(0, done.get());
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 503, 408, 425, 429})
  void aFailedRequestCanBeRetried(int status) {
    Handler failing = (req, res) -> res.status(status).send("failed");
    assertEquals(status + " failed", text(play(post("k"), once, failing)));
    assertEquals("201 {\"order\":1}", text(play(post("k"), once, order)));
  }

  @Test
  void aRequestWithAnExceptionCanBeRetried() {
    Handler failing =
        (req, res) -> {
          throw new IllegalStateException("failed");
        };
    assertEquals("500 failed", text(play(post("k"), once, failing)));
    assertEquals("201 {\"order\":1}", text(play(post("k"), once, order)));
  }

  @Test
  void aRejectionByTheHandlerIsStoredToo() {
    Handler rejecting = (req, res) -> res.status(422).send("no name " + done.incrementAndGet());
    play(post("k"), once, rejecting);
    assertEquals("422 no name 1", text(play(post("k"), once, rejecting)));
  }

  @Test
  void chunkedAndEmptyResponsesAreStored() {
    Handler pieces =
        (req, res) -> {
          res.write("a" + done.incrementAndGet());
          res.write("b");
          res.end();
        };
    Handler empty = (req, res) -> res.status(204).end();
    play(post("k"), once, pieces);
    assertEquals("200 a1b", text(play(post("k"), once, pieces)));
    play(post("l"), once, empty);
    assertEquals("204 ", text(play(post("l"), once, pieces)));
  }

  @Test
  void tooLongResponsesAreNotStoredAndNothingRunsTwice() {
    Idempotency brief = once.maxBodySize("10b");
    Handler tooLong = (req, res) -> res.send("0123456789" + done.incrementAndGet());
    assertEquals("200 01234567891", text(play(post("k"), brief, tooLong)));
    assertEquals(409, play(post("k"), brief, tooLong).status());
    assertEquals(1, done.get());
  }

  @Test
  void aResponseThatWasCutOffIsNotRepeatedAndNothingRunsTwice() {
    Handler half =
        (req, res) -> {
          res.write("half " + done.incrementAndGet());
          ErrorResponse.abort(res);
        };
    assertTrue(play(post("k"), once, half).aborted());
    Reply second = play(post("k"), once.waitTimeout(Duration.ofSeconds(20)), half);
    assertEquals(
        "409 the request with this Idempotency-Key is complete; its response cannot be repeated",
        text(second));
    assertEquals(1, done.get());
  }

  @Test
  void aRequestWhoseResponseWasReplacedCanBeRetried() {
    Reply failed = play(post("k"), Played.FAILING_HOOK, once, order);
    assertEquals("500 no sessions", text(failed));
    Reply second = play(post("k"), once.waitTimeout(Duration.ofSeconds(20)), order);
    assertEquals("201 {\"order\":2}", text(second));
  }

  @Test
  void aResponseIsStoredUncompressed() {
    Handler plenty = (req, res) -> res.type("text").send("x".repeat(5000) + done.incrementAndGet());
    Call zipped = post("k").header("Accept-Encoding", "gzip");
    Middleware compression = Compression.of();
    play(zipped, compression, once, plenty);
    assertEquals("x".repeat(5000) + "1", play(post("k"), compression, once, plenty).text());
    assertEquals("gzip", play(zipped, compression, once, plenty).header("Content-Encoding"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\"\"", "a b", "\u00e4"})
  void theLengthAndCharactersOfAKeyAreLimited(String key) {
    assertEquals(400, play(post(key), once, order).status());
    assertEquals(400, play(post("x".repeat(256)), once, order).status());
    assertEquals(201, play(post("x".repeat(255)), once, order).status());
    assertEquals(400, play(Call.post("/orders"), once.required(true), order).status());
    assertEquals(201, play(Call.get("/orders"), once.required(true), order).status());
  }

  @Test
  void anUnreadBodyIsReported() {
    Reply reply = Played.reply(post("k").body("x"), once, order);
    assertEquals(
        "500 Idempotency: the body has not been read. Add a body parser before it, such as"
            + " BodyParsers.json().",
        text(reply));
  }

  @Test
  void aBodyThatNoParserAcceptsIsAnErrorOfTheClient() {
    Middleware passing =
        (req, res, next) -> {
          req.attr(Request.BODY_PASSED_ON, true);
          next.run();
        };
    Call csv = post("k").header("Content-Type", "text/csv").body("x");
    assertEquals(
        "415 no parser accepts the type text/csv", text(Played.reply(csv, passing, once, order)));
    assertEquals(
        "415 the body has no type", text(Played.reply(post("k").body("x"), passing, once, order)));
    assertEquals(0, done.get());
  }

  @Test
  void jsonNullIsABody() {
    Middleware taking =
        (req, res, next) -> {
          req.attr(Request.BODY_TAKEN, true);
          next.run();
        };
    Call call = post("k").body("null");
    assertEquals("201 {\"order\":1}", text(Played.reply(call, taking, once, order)));
    assertEquals("201 {\"order\":1}", text(Played.reply(call, taking, once, order)));
  }

  @Test
  void aFailingStoreRejectsRequestsUnlessItFailsLate() {
    Idempotency away = Idempotency.of(new Failing(true)).anonymous();
    Reply rejected = play(post("k"), away, order);
    assertEquals("503 the idempotency store is not available", text(rejected));
    assertEquals("1", rejected.header("Retry-After"));
    assertEquals(0, done.get());
    assertEquals(
        201, play(post("k"), Idempotency.of(new Failing(false)).anonymous(), order).status());
    Handler failing = (req, res) -> res.status(500).send("failed");
    assertEquals(
        500, play(post("k"), Idempotency.of(new Failing(false)).anonymous(), failing).status());
  }

  @Test
  void invalidStoredDataIsAFailureOfTheStore() {
    for (String garbage :
        List.of(
            "",
            "200 none",
            "x none\n\n",
            "99 none\n\n",
            "600 none\n\n",
            "200\n\n",
            "200 none\na\n\n",
            "200 none\n\n%")) {
      IdempotencyStore store = MemoryIdempotency.of();
      IdempotencyStore broken =
          new Failing(false) {
            @Override
            public @Nullable Entry acquire(
                String key, String token, String print, Duration running) {
              return new Entry(print, garbage);
            }
          };
      assertEquals(
          503, play(post("k"), Idempotency.of(broken).anonymous(), order).status(), garbage);
      assertEquals(201, play(post("k"), Idempotency.of(store), order).status());
    }
  }

  @Test
  void theKeyAttributeDiffersForEachClient() {
    Handler showing = (req, res) -> res.send(req.attrOrNull(Idempotency.KEY));
    Idempotency byUser = once.client(req -> req.get("X-User"));
    Set<String> keys = new HashSet<>();
    for (String user : List.of("", "ann", "bob", "annk", "ann\nk")) {
      for (String key : List.of("k", "kk")) {
        String scoped = play(post(key).header("X-User", user), byUser, showing).text();
        assertEquals(43, scoped.length());
        keys.add(scoped);
      }
    }
    assertEquals(10, keys.size());
    String again = play(post("k").header("X-User", "ann"), byUser, showing).text();
    assertTrue(keys.contains(again));
    assertEquals("", play(Call.post("/orders"), byUser, showing).text());
  }

  @Test
  void aServerDoesNotStartUnlessTheClientIsIdentified() {
    Idempotency bare = Idempotency.of(MemoryIdempotency.of());
    ListenOptions options = ListenOptions.ofPort(0);
    Exception rejected =
        assertThrows(
            IllegalStateException.class,
            () -> bare.checkStart(options, List.of(PARSED, Compression.of(), RequestId.of())));
    String message = String.valueOf(rejected.getMessage());
    for (String line :
        List.of(
            "app.use(Sessions.of(secret));",
            "Idempotency.of(store).client(req -> req.get(\"X-Api-Key\"))",
            "Idempotency.of(store).anonymous()")) {
      assertTrue(message.contains(line), message);
    }
    String secret = "a secret of sixteen characters";
    for (Middleware identifying :
        List.of(
            Sessions.of(secret),
            CookieSession.of(secret),
            CookieSession.encrypted(secret),
            BasicAuth.of("a", "b"),
            new ByKey())) {
      bare.checkStart(options, List.of(identifying, PARSED));
    }
    bare.anonymous().checkStart(options, List.of());
    bare.client(req -> req.get("X-Api-Key")).checkStart(options, List.of());
  }

  /** Authenticating middleware of an application. */
  private record ByKey() implements Middleware, TraitsProvider {

    @Override
    public MiddlewareTraits traits() {
      return MiddlewareTraits.of("api-keys").authenticates();
    }

    @Override
    public void handle(Request req, Response res, Next next) {
      next.run();
    }
  }

  @Test
  void wrongOptionsAreRejected() {
    assertThrows(IllegalArgumentException.class, () -> once.ttl(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> once.waitTimeout(Duration.ofSeconds(-1)));
    assertEquals(
        "lease must be at least PT1S, was PT0.999S",
        Played.rejection(() -> once.lease(Duration.ofMillis(999))));
    assertEquals(
        "maxBodySize must be a size such as \"100kb\", was \"10 bananas\"",
        Played.rejection(() -> once.maxBodySize("10 bananas")));
    assertEquals(
        "maxBodySize \"17mb\" must be at most 16mb",
        Played.rejection(() -> once.maxBodySize("17mb")));
  }

  /** Fails at once, or when a response is stored. */
  private static class Failing implements IdempotencyStore {

    private final boolean atOnce;

    Failing(boolean atOnce) {
      this.atOnce = atOnce;
    }

    @Override
    public @Nullable Entry acquire(String key, String token, String print, Duration running)
        throws IOException {
      if (atOnce) {
        throw new IOException("away");
      }
      return null;
    }

    @Override
    public boolean renew(String key, String token, Duration lease) throws IOException {
      throw new IOException("away");
    }

    @Override
    public boolean save(String key, String token, String response, Duration life)
        throws IOException {
      throw new IOException("away");
    }

    @Override
    public void release(String key, String token) throws IOException {
      throw new IOException("away");
    }
  }
}

package dev.percolate.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.percolate.core.Handler;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.StaticFiles;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** Code of the recipes. */
final class RecipesTest {

  // #region webhook
  private static final byte[] SECRET = "of the sender".getBytes(StandardCharsets.UTF_8);

  static final Key<Boolean> SIGNED = Key.of("signed", Boolean.class);

  static App webhook(Handler received) {
    App app = new App();
    app.post(
        "/hook",
        BodyParsers.json().verify(RecipesTest::checkSignature),
        RecipesTest::requireSignature,
        received);
    return app;
  }

  /** Called with the received bytes before they are parsed. */
  private static void checkSignature(Request req, Response res, byte[] body, String charset) {
    String given = req.get("X-Signature");
    byte[] expected =
        ("sha256=" + HexFormat.of().formatHex(hmac(body))).getBytes(StandardCharsets.UTF_8);
    if (given == null || !MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.UTF_8))) {
      throw new HttpError(401, "Invalid signature.");
    }
    req.attr(SIGNED, true);
  }

  /** Rejects requests that the parser has passed on unchecked. */
  private static void requireSignature(Request req, Response res, Next next) {
    if (req.attrOrNull(SIGNED) == null) {
      throw new HttpError(401, "Invalid signature.");
    }
    next.run();
  }

  private static byte[] hmac(byte[] body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
      return mac.doFinal(body);
    } catch (java.security.GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  // #endregion webhook

  @Test
  void webhooksNeedAValidSignature() {
    App app = webhook((req, res) -> res.sendStatus(204));
    String body = "{\"event\":\"paid\"}";
    String signature =
        "sha256=" + HexFormat.of().formatHex(hmac(body.getBytes(StandardCharsets.UTF_8)));
    Call call = Call.post("/hook").header("Content-Type", "application/json").body(body);
    assertEquals(204, call.header("X-Signature", signature).to(app).status());
    assertEquals(
        401, call.header("X-Signature", signature.replace('a', 'b') + "0").to(app).status());
    assertEquals(401, call.to(app).status());
    Call empty = Call.post("/hook");
    assertEquals(401, empty.to(app).status());
    assertEquals(401, empty.header("Content-Type", "text/plain").body(body).to(app).status());
  }

  @Test
  void pathsOfASinglePageApplicationGetItsPage() {
    // #region spa
    App app = new App();
    app.get("/api/time", (req, res) -> res.json(System.currentTimeMillis()));
    app.use(StaticFiles.of(Path.of("public")).fallback("index.html"));
    // #endregion spa
    assertEquals(404, Call.get("/orders/7").header("Accept", "application/json").to(app).status());
    assertEquals(404, Call.get("/app.js").header("Accept", "text/html").to(app).status());
    assertEquals(200, Call.get("/notes.txt").to(app).status());
  }

  @Test
  void jobsEndWithTheServer() throws Exception {
    CountDownLatch ran = new CountDownLatch(1);
    // #region jobs
    App app = new App();
    ScheduledExecutorService jobs = Executors.newSingleThreadScheduledExecutor();
    Future<?> job = jobs.scheduleWithFixedDelay(ran::countDown, 0, 60, TimeUnit.SECONDS);
    app.onClose(
        () -> {
          job.cancel(false); // lets a running job end
          jobs.shutdown();
          jobs.awaitTermination(10, TimeUnit.SECONDS);
        });
    // #endregion jobs
    try (Server server = app.listen("127.0.0.1", 0)) {
      assertTrue(ran.await(10, TimeUnit.SECONDS), server::toString);
    }
    assertTrue(jobs.isTerminated());
  }

  // #region i18n
  private static final Locale[] LOCALES = {Locale.ENGLISH, Locale.GERMAN};

  private static void texts(Request req, Response res, Next next) {
    Locale chosen = Locale.ENGLISH;
    for (String wanted : req.acceptedLanguages()) { // in order of preference
      String tag = Locale.forLanguageTag(wanted).toLanguageTag(); // "und" if it is malformed
      Locale found = Locale.lookup(Locale.LanguageRange.parse(tag), java.util.List.of(LOCALES));
      if (found != null) {
        chosen = found;
        break;
      }
    }
    res.locals().put("t", ResourceBundle.getBundle("messages", chosen));
    res.vary("Accept-Language").set("Content-Language", chosen.toLanguageTag());
    next.run();
  }

  // #endregion i18n

  @Test
  void pagesSpeakTheLanguageOfTheClient() {
    Middleware texts = RecipesTest::texts;
    App app = new App();
    app.get(
        "/",
        texts,
        (req, res) -> res.send(((ResourceBundle) res.locals().get("t")).getString("greeting")));
    Reply german = Call.get("/").header("Accept-Language", "fr;q=0.5, de-AT").to(app);
    assertEquals("Guten Tag", german.text());
    assertEquals("de", german.header("Content-Language"));
    assertEquals("Good day", Call.get("/").to(app).text());
    Call malformed = Call.get("/").header("Accept-Language", "en_US, *, de;q=0.5");
    assertEquals("Guten Tag", malformed.to(app).text());
  }

  @Test
  void revalidationGetsNoBody() {
    // #region caching
    App app = new App();
    app.get(
        "/prices",
        (req, res) -> {
          res.set("Cache-Control", "private, max-age=60");
          res.json(Map.of("tea", 410)); // adds an ETag for the body
        });
    // #endregion caching
    String tag = Call.get("/prices").to(app).header("ETag");
    assertNotNull(tag);
    assertEquals(304, Call.get("/prices").header("If-None-Match", tag).to(app).status());
  }

  private final AtomicInteger queries = new AtomicInteger();

  private Map<String, Integer> query(String product) {
    queries.incrementAndGet();
    return Map.of(product, 410);
  }

  @Test
  void aValueIsComputedOnce() {
    // #region server-cache
    LoadingCache<String, Map<String, Integer>> prices =
        Caffeine.newBuilder()
            .maximumSize(1000)
            .expireAfterWrite(Duration.ofMinutes(1))
            .build(this::query);
    App app = new App();
    app.get(
        "/prices/:product",
        (req, res) -> res.json(prices.get(req.params().required("product", String.class))));
    // #endregion server-cache
    app.set("json spaces", 0);
    assertEquals("{\"tea\":410}", Call.get("/prices/tea").to(app).text());
    assertEquals(200, Call.get("/prices/tea").to(app).status());
    assertEquals(1, queries.get());
  }

  // #region note
  private record Note(String text, int version) {

    String etag() {
      return "\"" + version + "\"";
    }
  }

  // #endregion note

  @Test
  void anUpdateOfAnotherVersionIsRejected() {
    Map<String, Note> notes = new ConcurrentHashMap<>(Map.of("7", new Note("tea", 1)));
    // #region preconditions
    App app = new App();
    app.get(
        "/notes/:id",
        (req, res) -> {
          Note note = notes.get(req.params().required("id", String.class));
          if (note == null) {
            throw new HttpError(404);
          }
          res.set("ETag", note.etag()).send(note.text());
        });
    app.put(
        "/notes/:id",
        BodyParsers.text(),
        (req, res) -> {
          if (req.get("If-Match") == null && req.get("If-None-Match") == null) {
            throw new HttpError(428, "Send If-Match with the entity tag of the note.");
          }
          notes.compute( // checks and changes atomically
              req.params().required("id", String.class),
              (id, note) -> {
                req.checkPreconditions(note == null ? null : note.etag());
                int version = note == null ? 1 : note.version() + 1;
                Note changed = new Note(String.valueOf(req.body()), version);
                res.set("ETag", changed.etag());
                return changed;
              });
          res.status(204).end();
        });
    // #endregion preconditions
    assertEquals("\"1\"", Call.get("/notes/7").to(app).header("ETag"));
    Call put = Call.put("/notes/7").body("coffee").header("Content-Type", "text/plain");
    assertEquals(428, put.to(app).status());
    assertEquals("\"2\"", put.header("If-Match", "\"1\"").to(app).header("ETag"));
    assertEquals(412, put.header("If-Match", "\"1\"").to(app).status());
    assertEquals(412, put.header("If-None-Match", "*").to(app).status());
    Call create = Call.put("/notes/8").body("milk").header("Content-Type", "text/plain");
    assertEquals(412, create.header("If-Match", "*").to(app).status());
    assertEquals(204, create.header("If-None-Match", "*").to(app).status());
    assertEquals("coffee", Call.get("/notes/7").to(app).text());
  }
}

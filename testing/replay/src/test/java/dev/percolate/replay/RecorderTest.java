package dev.percolate.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.RequestControl;
import dev.percolate.framework.App;
import dev.percolate.http.CookieOptions;
import dev.percolate.middleware.Compression;
import dev.percolate.middleware.CookieParser;
import dev.percolate.middleware.Events;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.CookieJar;
import dev.percolate.testkit.MemoryClient;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.replay.Recorder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RecorderTest {

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void chooseFile() {
    file = folder.resolve("shop.json");
  }

  @Test
  void aRecordingAgreesWithANewInstanceOfTheApplication() throws Exception {
    try (Recorder recorder = Recorder.to(file)) {
      traffic(shop(recorder));
    }
    assertEquals(6, recorded().size());
    Files.writeString(folder.resolve("shop.secrets"), "password=open sesame\n");
    try (MemoryClient client = MemoryClient.of(shop(null))) {
      client.replay(file);
    }
    String text = Files.readString(file);
    assertFalse(text.contains("open sesame") || text.contains("open%20sesame"), text);
  }

  @Test
  void aChangedApplicationDiffers() throws Exception {
    try (Recorder recorder = Recorder.to(file)) {
      traffic(shop(recorder));
    }
    App changed = new App();
    changed.get("/", (req, res) -> res.send("another page"));
    try (MemoryClient client = MemoryClient.of(changed)) {
      assertThrows(AssertionError.class, () -> client.replay(file));
    }
  }

  @Test
  void theFileIsCompleteAfterEachRequestAndPrivate() throws Exception {
    try (Recorder recorder = Recorder.to(file)) {
      App app = new App();
      app.use(recorder);
      Reply unused = Call.get("/a").to(app);
    }
    assertEquals(1, recorded().size());
    if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    }
  }

  @Test
  void ofLongBodiesStreamsAndUnknownCodingsOnlyTheHeadIsRecorded() throws Exception {
    try (Recorder recorder = Recorder.to(file).maxBodySize("1kb")) {
      App app = new App();
      app.use(recorder);
      app.post(
          "/up",
          (req, res) -> {
            long size = req.inputStream(4_000_000).readAllBytes().length;
            res.send("" + size);
          });
      app.get("/down", (req, res) -> res.send(new byte[5_000]));
      app.get("/sse", Events.of((req, events) -> events.close()));
      app.get("/br", (req, res) -> res.set("Content-Encoding", "br").send(new byte[] {1, 2}));
      app.get("/png", (req, res) -> res.type("png").send(new byte[] {(byte) 0x89, 2}));
      assertEquals("3000000", Call.post("/up").body(new byte[3_000_000]).chunked().to(app).text());
      assertEquals("3000000", Call.post("/up").body(new byte[3_000_000]).to(app).text());
      for (String path : List.of("/down", "/sse", "/br", "/png")) {
        assertEquals(200, Call.get(path).to(app).status());
      }
    }
    List<Map<?, ?>> all = recorded();
    assertEquals("longer than 1024 bytes", request(all.get(0)).get("bodyOmitted"));
    assertEquals("longer than 1024 bytes", request(all.get(1)).get("bodyOmitted"));
    assertEquals("longer than 1024 bytes", response(all.get(2)).get("bodyOmitted"));
    assertEquals("an event stream", response(all.get(3)).get("bodyOmitted"));
    assertEquals("its secrets cannot be found", response(all.get(4)).get("bodyOmitted"));
    assertEquals("iQI=", response(all.get(5)).get("bodyBase64"));
  }

  @Test
  void compressedBodiesAreRecordedDecompressed() throws Exception {
    try (Recorder recorder = Recorder.to(file)) {
      App app = new App();
      app.use(recorder);
      app.use(Compression.of());
      app.use(BodyParsers.json());
      app.post(
          "/", (req, res) -> res.json(Map.of("token", "t-0123456789", "text", "x".repeat(5000))));
      Reply reply =
          Call.post("/")
              .header("Content-Type", "application/json")
              .header("Content-Encoding", "gzip")
              .header("Accept-Encoding", "gzip")
              .body(gzip("{\"pin\":4711,\"n\":1}"))
              .to(app);
      assertEquals("gzip", reply.header("Content-Encoding"));
    }
    Map<?, ?> one = recorded().get(0);
    assertEquals("{\"pin\":\"$SECRET{pin#}\",\"n\":1}", request(one).get("body"));
    assertTrue(("" + response(one).get("body")).contains("xxx\""));
    assertFalse(Files.readString(file).contains("t-0123456789"));
  }

  @Test
  void allRequestsOfASampledClientAreRecorded() throws Exception {
    try (Recorder recorder = Recorder.to(file).sample(0.2)) {
      App app = new App();
      app.use(recorder);
      app.use(CookieParser.of());
      app.get(
          "/",
          (req, res) -> {
            if (req.cookies().get("sid") == null) {
              res.cookie("sid", UUID.randomUUID().toString(), CookieOptions.none());
            }
            res.send("x");
          });
      for (int client = 0; client < 100; client++) {
        CookieJar jar = new CookieJar();
        for (int i = 0; i < 5; i++) {
          assertEquals(200, Call.get("/").with(jar).to(app).status());
        }
      }
    }
    int count = recorded().size();
    assertTrue(count % 5 == 0 && count > 10 && count < 250, () -> "" + count);
  }

  @Test
  void recordingStopsAtTheMaximumSize() throws Exception {
    try (Recorder recorder = Recorder.to(file).maxSize("2kb")) {
      App app = new App();
      app.use(recorder);
      for (int i = 0; i < 100; i++) {
        assertEquals(404, Call.get("/" + i).to(app).status());
      }
    }
    assertTrue(Files.size(file) <= 2048, () -> "" + recorded().size());
    assertTrue(recorded().size() > 1);
  }

  @Test
  void aFailureIsWrittenWithItsSession() throws Exception {
    Path failures = folder.resolve("failures");
    try (Recorder recorder = Recorder.failures(failures)) {
      App app = failing(recorder);
      CookieJar jar = new CookieJar();
      assertEquals(200, Call.get("/").with(jar).to(app).status());
      assertEquals(200, Call.get("/cart").with(jar).to(app).status());
      assertEquals(200, Call.get("/cart").to(app).status());
      for (int i = 0; i < 5; i++) {
        assertEquals(500, Call.get("/pay").with(jar).to(app).status());
      }
      assertThrows(AssertionError.class, () -> Call.get("/drift").to(app));
    }
    List<Path> files;
    try (Stream<Path> all = Files.list(failures)) {
      files = all.sorted().toList();
    }
    assertEquals(4, files.size(), files::toString);
    Stream<Path> errors = files.stream().filter(one -> one.toString().contains("-500-"));
    file = errors.findFirst().orElseThrow();
    assertEquals(3, recorded().size());
    assertEquals("status 500", response(recorded().get(2)).get("failed"));
    try (MemoryClient client = MemoryClient.of(failing(null))) {
      String message =
          assertThrows(AssertionError.class, () -> client.replay(failures)).getMessage();
      assertTrue(message.contains("rule: request GET /pay"), message);
      assertTrue(message.contains("rule: request GET /drift"), message);
      assertTrue(message.endsWith("AGREE 6 of 10"), message);
    }
  }

  @Test
  void theDescriptionOfAFailureIsMasked() throws Exception {
    Path failures = folder.resolve("failures");
    String body = "{\"pin\":\"p1n-of-ann\",\"tokens\":[\"t0ken-of-ann\"]}";
    try (Recorder recorder = Recorder.failures(failures)) {
      App app = new App();
      app.use(recorder);
      app.get(
          "/users",
          (req, res) -> {
            String warning = req.originalUrl() + ": /pin: is missing\n  sent:     200 " + body;
            RequestControl.warn(req, "GET " + warning);
            res.type("json").send(body);
          });
      assertThrows(AssertionError.class, () -> Call.get("/users?otp=0tp-of-ann").to(app));
    }
    try (Stream<Path> all = Files.list(failures)) {
      file = all.findFirst().orElseThrow();
    }
    String text = Files.readString(file);
    assertFalse(text.contains("-of-ann"), text);
    assertTrue(text.contains("/pin: is missing"), text);
  }

  @Test
  void recordingsWithSeveralTokensInTargetsAreReplayed() throws Exception {
    try (Recorder recorder = Recorder.to(file).maskPath("/reset/:token")) {
      App app = links(recorder);
      for (String token : List.of("first-t0ken", "second-t0ken")) {
        assertEquals(200, Call.get("/a?token=" + token + "&user+token=x" + token).to(app).status());
        assertEquals(200, Call.get("/reset/p" + token).to(app).status());
      }
      assertEquals(200, Call.get("http://localhost/a?n=1").to(app).status());
    }
    assertEquals("/a?n=1", request(recorded().get(4)).get("path"));
    try (MemoryClient client = MemoryClient.of(links(null))) {
      client.replay(file);
    }
  }

  @Test
  void noneOf10000PlantedSecretsIsInTheFile() throws Exception {
    PlantedSecrets planted = new PlantedSecrets(20_261_127);
    try (Recorder recorder =
        Recorder.to(file).mask("nickname").maskPath("/reset/:code").maskValues(planted.listed())) {
      App app = new App();
      app.use(recorder);
      app.use((req, res, next) -> planted.respond(req, res));
      while (planted.count() < 10_000) {
        assertTrue(planted.next().to(app).status() < 400);
      }
    }
    String text = Files.readString(file);
    assertTrue(recorded().size() > 500, () -> recorded().size() + " requests");
    assertEquals(List.of(), planted.foundIn(text));
  }

  @Test
  void optionsAreValidated() {
    Recorder recorder = Recorder.to(file);
    assertThrows(IllegalArgumentException.class, () -> recorder.sample(1.1));
    assertThrows(IllegalArgumentException.class, () -> recorder.sample(Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> recorder.maxBodySize("5mb"));
    assertThrows(IllegalArgumentException.class, () -> recorder.maxSize("much"));
    assertThrows(IllegalArgumentException.class, () -> recorder.maskPath("/reset"));
  }

  private static App failing(Recorder recorder) {
    App app = new App();
    if (recorder != null) {
      app.use(recorder);
    }
    app.get(
        "/",
        (req, res) -> {
          res.cookie("sid", UUID.randomUUID().toString(), CookieOptions.none());
          res.send("x");
        });
    app.get("/cart", (req, res) -> res.send("cart"));
    app.get("/pay", (req, res) -> res.status(500).send("no"));
    app.get(
        "/drift",
        (req, res) -> {
          RequestControl.warn(req, "/name: is missing");
          res.send("x");
        });
    return app;
  }

  private static App links(Recorder recorder) {
    App app = new App();
    if (recorder != null) {
      app.use(recorder);
    }
    app.get("/a", (req, res) -> res.send("x"));
    app.get("/reset/:token", (req, res) -> res.send("x"));
    return app;
  }

  private static App shop(Recorder recorder) {
    Map<String, String> users = new ConcurrentHashMap<>();
    App app = new App();
    if (recorder != null) {
      app.use(recorder);
    }
    app.use(CookieParser.of());
    app.use(BodyParsers.urlencoded());
    app.use(BodyParsers.json());
    app.get(
        "/",
        (req, res) -> {
          String token = UUID.randomUUID().toString();
          users.put(token, "");
          res.cookie("sid", token, CookieOptions.none().httpOnly(true));
          res.type("html").send("<input type=hidden name=\"_csrf\" value=\"c-" + token + "\">");
        });
    app.post(
        "/login",
        (req, res) -> {
          String sid = "" + req.cookies().get("sid");
          boolean right =
              ("c-" + sid).equals(req.form("_csrf")) && "open sesame".equals(req.form("password"));
          users.replace(sid, right ? "ann" : "");
          res.redirect(303, right ? "/orders" : "/");
        });
    app.post(
        "/orders",
        (req, res) -> {
          boolean known = "ann".equals(users.get("" + req.cookies().get("sid")));
          String id = UUID.randomUUID().toString();
          users.put(id, "order");
          res.status(known ? 201 : 403).json(Map.of("id", id, "at", Instant.now()));
        });
    app.get(
        "/orders/:id", (req, res) -> res.json(Map.of("found", users.containsKey(req.param("id")))));
    app.get("/missing", (req, res) -> res.sendStatus(404));
    return app;
  }

  private static void traffic(App app) {
    CookieJar jar = new CookieJar();
    String page = Call.get("/").with(jar).to(app).text();
    String csrf = page.replaceAll(".*value=\"|\">", "");
    Call login = Call.post("/login").form("password", "open sesame").form("_csrf", csrf);
    assertEquals("/orders", login.with(jar).to(app).header("Location"));
    Reply order = Call.post("/orders").json(Map.of()).with(jar).to(app);
    assertEquals(201, order.status());
    Object id = order.json(Map.class).get("id");
    assertEquals(
        Map.of("found", true), Call.get("/orders/" + id).with(jar).to(app).json(Map.class));
    assertEquals(Map.of("found", false), Call.get("/orders/7").to(app).json(Map.class));
    assertEquals(404, Call.head("/missing").to(app).status());
  }

  private List<Map<?, ?>> recorded() {
    try {
      List<?> all = (List<?>) JsonCodec.find().read(Files.readString(file));
      return all.stream().<Map<?, ?>>map(one -> (Map<?, ?>) one).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<?, ?> request(Map<?, ?> scenario) {
    return (Map<?, ?>) ((List<?>) scenario.get("requests")).get(0);
  }

  private static Map<?, ?> response(Map<?, ?> scenario) {
    return (Map<?, ?>) ((List<?>) scenario.get("expect")).get(0);
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return out.toByteArray();
  }
}

package dev.percolate.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.RequestControl;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.http.CookieOptions;
import dev.percolate.middleware.CookieParser;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.MemoryClient;
import dev.percolate.testkit.replay.Replay;
import dev.percolate.testkit.replay.ReplayReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReplayTest {

  private static final String ID = "0b1f0e9c-6f0e-4c57-9d5c-1f2f3a4b5c6d";
  private static final String JSON = "{\"content-type\":\"application/json; charset=utf-8\"}";
  private static final String HTML = "{\"content-type\":\"text/html; charset=utf-8\"}";

  @TempDir private Path folder;

  @Test
  void orderOfJsonKeysDatesAndEntityTagsAreNotCompared() throws Exception {
    App app = new App();
    app.get(
        "/a",
        (req, res) -> res.json(Map.of("at", "2026-01-02T03:04:05Z", "n", 1.0, "list", "[x]")));
    String body = "{\"list\":\"[x]\",\"at\":\"2020-09-08T07:06:05.432Z\",\"n\":1}";
    replay(app, one("GET", "/a", "", 200, headers("etag", "W/\\\"1-x\\\""), body));
  }

  @Test
  void daysAgreeIfTheyAreTheSameOrToday() throws Exception {
    App app = new App();
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    app.get("/report", (req, res) -> res.json(Map.of("of", today, "text", "Born 1999-12-31.")));
    String body = "{\"of\":\"2020-09-08\",\"text\":\"Born 1999-12-31.\"}";
    replay(app, one("GET", "/report", "", 200, JSON, body));
    String other = body.replace("1999", "2000");
    ReplayReport report = report(app, one("GET", "/report", "", 200, JSON, other));
    assertEquals("[json /text]", report.rules().toString());
  }

  @Test
  void bodiesOfRedirectsAreNotCompared() throws Exception {
    App app = new App();
    app.get("/old", (req, res) -> res.redirect("/new"));
    app.get("/moved", (req, res) -> res.status(303).location("/new").json(Map.of("to", 1)));
    String location = "{\"location\":\"/new\",\"vary\":\"Accept\",\"content-type\":\"%s\"}";
    String text = location.formatted("text/plain; charset=utf-8");
    replay(app, one("GET", "/old", "", 302, text, "<p>Moved to /new</p>"));
    String json = location.replace("\"vary\":\"Accept\",", "").formatted("application/json");
    json = json.replace("json\"", "json; charset=utf-8\"");
    ReplayReport report = report(app, one("GET", "/moved", "", 303, json, "{\"to\":2}"));
    assertEquals("[json /to]", report.rules().toString());
  }

  @Test
  void theOrderOfAllowedMethodsIsNotComparedInBodiesEither() throws Exception {
    App app = new App();
    app.get("/a", (req, res) -> res.end());
    app.put("/a", (req, res) -> res.end());
    String allow = "{\"allow\":\"%s\",\"content-type\":\"text/html; charset=utf-8\"}";
    String methods = "PUT,GET,HEAD";
    replay(app, one("OPTIONS", "/a", "", 200, allow.formatted(methods), methods));
    ReplayReport report =
        report(app, one("OPTIONS", "/a", "", 200, allow.formatted(methods), "PUT"));
    assertEquals("[body OPTIONS /a]", report.rules().toString());
  }

  @Test
  void tokensInBinaryFormsAreSentLater() throws Exception {
    App app = new App();
    app.get("/form", (req, res) -> res.type("html").send("<meta content=\"t0k3n\">"));
    app.post(
        "/upload",
        (req, res) -> {
          byte[] body = req.inputStream().readAllBytes();
          res.send(new String(body, StandardCharsets.ISO_8859_1).contains("t0k3n\r\n\u00ff"));
        });
    String part = "--b\r\n\r\n$SECRET{_csrf}\r\n\u00ff";
    byte[] bytes = part.getBytes(StandardCharsets.ISO_8859_1);
    String request =
        "\"headers\":{\"content-type\":\"multipart/form-data; boundary=b\"},\"body\":{\"base64\":\""
            + Base64.getEncoder().encodeToString(bytes)
            + "\"},";
    replay(
        app,
        one("GET", "/form", "", 200, HTML, "<meta content=\"$SECRET{_csrf}\">"),
        one("POST", "/upload", request, 200, JSON, "true"));
  }

  @Test
  void idsCookiesAndTokensOfResponsesAreSentLater() throws Exception {
    App app = new App();
    UUID id = UUID.randomUUID();
    app.use(CookieParser.of());
    app.use(BodyParsers.urlencoded());
    app.get(
        "/form",
        (req, res) -> {
          res.cookie("sid", "s3/x", CookieOptions.none().httpOnly(true).path("/"));
          res.type("html").send("<input name=_csrf value=\"t0 k&en\"><a href=\"/o/" + id + "\">o");
        });
    app.post(
        "/o/:id",
        (req, res) -> {
          assertEquals("t0 k&en", req.form("_csrf"));
          assertEquals("s3/x", req.cookies().get("sid"));
          assertEquals(id.toString(), req.param("id"));
          res.json(Map.of("id", id));
        });
    String cookie = headers("set-cookie", "sid=$SECRET{cookie sid}; HttpOnly; Path=/");
    String form =
        one(
            "GET",
            "/form",
            "",
            200,
            cookie.replace("application/json", "text/html"),
            "<input name=_csrf value=\"$SECRET{_csrf}\"><a href=\"/o/" + ID + "\">o");
    String order =
        one(
            "POST",
            "/o/" + ID,
            "\"headers\":{\"cookie\":\"sid=$SECRET{cookie sid}\",\"content-type\":"
                + "\"application/x-www-form-urlencoded\"},\"body\":\"_csrf=$SECRET{_csrf}\",",
            200,
            JSON,
            "{\"id\":\"" + ID + "\"}");
    replay(app, form, order);
  }

  @Test
  void anIdOfAnotherRecordDiffers() throws Exception {
    App app = new App();
    app.get("/new", (req, res) -> res.json(Map.of("id", UUID.randomUUID())));
    String body = "{\"id\":\"" + ID + "\"}";
    ReplayReport report =
        report(
            app, one("GET", "/new", "", 200, JSON, body), one("GET", "/new", "", 200, JSON, body));
    assertEquals(1, report.agreed());
    assertEquals("[json /id]", report.rules().toString());
  }

  @Test
  void differencesAreShownWhereTheyBeginOncePerKind() throws Exception {
    App app = new App();
    app.get("/t", (req, res) -> res.type("html").send("<p>" + "x".repeat(300) + "\n<b>2</b></p>"));
    app.get("/j/:n", (req, res) -> res.json(Map.of("items", List.of(Map.of("n", 2)))));
    String text = "<p>" + "x".repeat(300) + "\\n<b>1</b></p>";
    String json = "{\"items\":[{\"n\":1}]}";
    ReplayReport report =
        report(
            app,
            one("GET", "/t", "", 200, HTML, text),
            one("GET", "/j/1", "", 200, JSON, json),
            one("GET", "/j/2", "", 200, JSON, json));
    assertEquals("[body GET /t, json /items/*/n]", report.rules().toString());
    String shown = report.toString();
    assertTrue(shown.contains("body at line 2, column 4"), shown);
    assertTrue(shown.contains("xxx\\n<b>1</b></p>\n"), shown);
    assertTrue(shown.contains("xxx\\n<b>2</b></p>\n"), shown);
    assertTrue(shown.contains("and 1 more; rule: json /items/*/n"), shown);
    assertTrue(shown.endsWith("AGREE 0 of 3"), shown);
  }

  @Test
  void whiteSpaceAndSpellingsOfEntitiesInHtml() throws Exception {
    App app = new App();
    app.get("/", (req, res) -> res.type("html").send("<ul><li>a &#34;b&#34;</li></ul>"));
    String recording =
        one("GET", "/", "", 200, HTML, "<ul>\\n  <li>a  &quot;b&#x22;</li>\\n</ul>\\n");
    assertFalse(report(app, recording).agrees());
    Path rules = Files.writeString(folder.resolve("r.rules"), "html-space\n");
    assertTrue(Files.exists(rules));
    replay(app, recording);
  }

  @Test
  void acceptedRulesLetTheReplayAgree() throws Exception {
    App app = new App();
    app.get("/a", (req, res) -> res.set("X-Extra", "1").json(Map.of("n", 7)));
    app.get("/a/7", (req, res) -> res.status(201).end());
    Path file =
        file(
            one("GET", "/a", "", 200, JSON, "{\"n\":1}"),
            one("GET", "/a/1", "", 200, JSON, ""),
            one("GET", "/missing", "", 200, HTML, "x"));
    try (Server server = app.listen(ListenOptions.ofPort(0).host("127.0.0.1"))) {
      String url = "http://127.0.0.1:" + server.port();
      assertEquals(1, run("--url", url, "--accept", file.toString()));
      assertEquals(1, run("--url", url, "--accept", file.toString())); // the id is learned now
      assertEquals(0, run("--url", url, file.toString()));
    }
    assertEquals(
        List.of("header x-extra", "json /n", "status 200 404", "status 200 201"),
        Files.readAllLines(folder.resolve("r.rules")));
  }

  @Test
  void aFailureMustNotHappenAgain() throws Exception {
    App app = new App();
    app.get("/boom", (req, res) -> res.status(500).end());
    app.get(
        "/drift",
        (req, res) -> {
          RequestControl.warn(req, "a wrong response");
          res.send("x");
        });
    app.get("/mended", (req, res) -> res.send("x"));
    String failed = ",\"expect\":[{\"failed\":\"status 500\",\"status\":500}]}";
    ReplayReport report =
        report(
            app,
            "{\"id\":\"1\",\"requests\":[{\"method\":\"GET\",\"path\":\"/boom\"}]" + failed,
            "{\"id\":\"2\",\"requests\":[{\"method\":\"GET\",\"path\":\"/drift\"}]" + failed,
            "{\"id\":\"3\",\"requests\":[{\"method\":\"GET\",\"path\":\"/mended\"}]" + failed);
    assertEquals("[request GET /boom, request GET /drift]", report.rules().toString());
    assertTrue(report.toString().contains("a wrong response"), report::toString);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "[1]",
        "[{\"id\":\"1\",\"requests\":[{\"path\":\"http://elsewhere.example/\"}],\"expect\":[]}]",
        "[{\"id\":\"1\",\"requests\":[{\"path\":\"//elsewhere.example@x\\r\\nA: b\"}],\"expect\":[]}]",
        "[{\"id\":\"1\",\"requests\":[{\"path\":\"/\",\"headers\":{\"a\":\"b\\r\\nc: d\"}}],"
            + "\"expect\":[]}]",
        "[{\"id\":\"1\",\"requests\":[{\"path\":\"/\",\"method\":\"A B\"}],\"expect\":[]}]",
        "[{\"id\":\"1\",\"requests\":[{\"path\":\"/\",\"body\":{\"file\":\"/etc/passwd\"}}],"
            + "\"expect\":[]}]",
        "[{\"id\":\"1\",\"files\":{\"../x\":\"y\"},\"requests\":[],\"expect\":[]}]",
        "[{\"id\":\"1\",\"requests\":[{\"path\":\"/\"}],\"expect\":[]}",
      })
  void filesThatAreHostileOrCutAreRejected(String text) throws Exception {
    App app = new App();
    app.use(
        (req, res, next) -> {
          throw new IllegalStateException("no request must be sent");
        });
    Path file = Files.writeString(folder.resolve("r.json"), text);
    try (MemoryClient client = MemoryClient.of(app)) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> client.replay(file)).getMessage();
      assertTrue(message.contains("r.json is not a recording: "), message);
    }
  }

  @Test
  void deepJsonIsComparedAsText() throws Exception {
    App app = new App();
    String deep = "[".repeat(50_000);
    app.get("/", (req, res) -> res.type("json").send(deep));
    replay(app, one("GET", "/", "", 200, JSON, deep));
  }

  @Test
  void hostHeadersOfRecordingsAreNotSent() throws Exception {
    App app = new App();
    app.get(
        "/", (req, res) -> res.redirect("http://" + req.authority() + "/x?" + req.get("Origin")));
    String request = "\"headers\":{\"host\":\"shop.example\",\"origin\":\"https://shop.example\"},";
    String headers = "{\"location\":\"https://shop.example/x?https://shop.example\"}";
    String recording = one("GET", "/", request, 302, headers, "").replace(",\"body\":\"\"}", "}");
    ReplayReport report = report(app, recording);
    assertFalse(report.rules().contains("header location"), report::toString);
  }

  @Test
  void unknownSecretsAreNamed() throws Exception {
    App app = new App();
    app.use(BodyParsers.json());
    app.post("/login", (req, res) -> res.send(req.body().toString()));
    String request =
        "\"headers\":{\"content-type\":\"application/json\",\"cookie\":\"a=$SECRET{cookie a}\"},"
            + "\"body\":\"{\\\"pin\\\":\\\"$SECRET{pin#}\\\",\\\"user\\\":\\\"$SECRET{user}\\\"}\",";
    String recording =
        one("POST", "/login", request, 200, HTML, "{pin=4711.0, user=Ann \\\"A\\\"}");
    Files.writeString(folder.resolve("r.secrets"), "pin=4711\n");
    assertTrue(
        report(app, recording).toString().contains("$SECRET{user}. Add the line user=VALUE"));
    Files.writeString(folder.resolve("r.secrets"), "pin=4711\nuser=Ann \"A\"\n");
    String shown = report(app, recording.replace("4711.0", "4711")).toString();
    assertTrue(shown.endsWith("AGREE 1 of 1"), shown);
  }

  @Test
  void unknownCookiesDoNotRemoveTheOthers() throws Exception {
    App app = new App();
    app.use(CookieParser.of());
    app.get(
        "/login",
        (req, res) -> {
          res.cookie("sid", "s3ss10n", CookieOptions.none().path("/"));
          res.type("html").send("in");
        });
    app.get("/me", (req, res) -> res.type("html").send("" + req.cookies().get("sid")));
    String set = HTML.replace("}", ",\"set-cookie\":\"sid=$SECRET{cookie sid}; Path=/\"}");
    String sent = "\"headers\":{\"cookie\":\"_ga=$SECRET{cookie _ga}; sid=$SECRET{cookie sid}\"},";
    ReplayReport report =
        report(
            app,
            one("GET", "/login", "", 200, set, "in"),
            one("GET", "/me", sent, 200, HTML, "s3ss10n"));
    assertTrue(report.agrees(), report::toString);
    assertTrue(report.toString().contains("$SECRET{cookie _ga}"), report::toString);
  }

  @Test
  void headersWithSeveralLinesAgreeWithTheirRecording() throws Exception {
    App app = new App();
    app.get(
        "/", (req, res) -> res.append("Link", "</a>; rel=x").append("Link", "</b>; rel=y").json(1));
    replay(app, one("GET", "/", "", 200, headers("link", "</a>; rel=x, </b>; rel=y"), "1"));
  }

  @Test
  void tokensOfUrlsAreEncodedOnce() throws Exception {
    App app = new App();
    app.get("/go", (req, res) -> res.redirect("/cb?n=1&code=a%2Fb%3D%3D"));
    app.get("/reset", (req, res) -> res.redirect("/cb/a%2Fc"));
    app.get("/cb", (req, res) -> res.type("html").send("" + req.query("code")));
    app.get("/cb/:code", (req, res) -> res.type("html").send("" + req.param("code")));
    String location =
        "{\"location\":\"%s\",\"vary\":\"Accept\","
            + "\"content-type\":\"text/plain; charset=utf-8\"}";
    replay(
        app,
        one("GET", "/go", "", 302, location.formatted("/cb?n=1&code=$SECRET{code}"), ""),
        one("GET", "/cb?n=1&code=$SECRET{code}", "", 200, HTML, "a/b=="),
        one("GET", "/reset", "", 302, location.formatted("/cb/$SECRET{path}"), ""),
        one("GET", "/cb/$SECRET{path}", "", 200, HTML, "a/c"));
  }

  @Test
  void usageIsPrintedForWrongArguments() {
    assertEquals(2, run("--url", "ftp://x", "a.json"));
    assertEquals(2, run("a.json"));
    assertEquals(2, run("--url"));
    assertEquals(2, run("--url", "http://localhost:1", folder.resolve("none.json").toString()));
  }

  private static int run(String... args) {
    return Main.run(
        new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8), args);
  }

  private void replay(App app, String... scenarios) throws IOException {
    Path file = file(scenarios);
    try (MemoryClient client = MemoryClient.of(app)) {
      client.replay(file);
    }
  }

  private ReplayReport report(App app, String... scenarios) throws IOException {
    try (Client client = MemoryClient.of(app)) {
      return client.replay(Replay.of(file(scenarios)));
    }
  }

  private Path file(String... scenarios) throws IOException {
    return Files.writeString(
        folder.resolve("r.json"), "[\n" + String.join(",\n", scenarios) + "\n]\n");
  }

  private static String headers(String name, String value) {
    return JSON.replace("}", ",\"" + name + "\":\"" + value + "\"}");
  }

  private static String one(
      String method, String path, String request, int status, String headers, String body) {
    return "{\"id\":\"%s %s\",\"requests\":[{\"method\":\"%s\",%s\"path\":\"%s\"}],\"expect\":[{\"status\":%d,\"headers\":%s,\"body\":\"%s\"}]}"
        .formatted(
            method,
            path,
            method,
            request,
            path,
            status,
            headers,
            body.replace("\"", "\\\"").replace("\\\\\"", "\\\""));
  }
}

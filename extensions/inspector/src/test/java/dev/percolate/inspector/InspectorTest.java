package dev.percolate.inspector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.framework.App;
import dev.percolate.http.JsonText;
import dev.percolate.logger.RequestLogger;
import dev.percolate.middleware.WebSockets;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestConnection;
import dev.percolate.testkit.TestEventStream;
import dev.percolate.testkit.TestWebSocket;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class InspectorTest {

  private static final Middleware PASS = (req, res, next) -> next.run();
  private static final String SCRIPT = "<script>alert(1)</script>";

  // #region inspector
  private final App app = new App().use(Inspector.inDevelopment());

  // #endregion inspector

  @Test
  void showsTheMiddlewareOfARequestWithItsChanges() {
    app.use(RequestLogger.of("dev").to(line -> {}));
    app.use(
        (req, res, next) -> {
          res.set("X-A", "1");
          next.run();
        });
    app.get("/u/:id", PASS, (req, res) -> res.set("X-B", "2").send("x"));
    get("/u/7?token=abc");
    String json = last();
    assertTrue(json.contains("\"target\":\"/u/7?token=masked\""), json);
    assertTrue(json.contains("\"step\":\"RequestLogger\",\"layer\":\"layer 2, use /\""), json);
    assertTrue(json.contains("\"origin\":\"InspectorTest.java:"), json);
    assertTrue(json.contains("\"headers\":[\"+ X-A: 1\"]"), json);
    assertTrue(json.contains("\"+ X-B: 2\""), json);
    assertTrue(json.contains("\"layer\":\"layer 4, get /u/:id, step 2 of 2\""), json);
    assertTrue(json.contains("\"responded\":true"), json);
    assertTrue(json.contains("\"line\":\"GET /u/7?token=masked 200 "), json);
  }

  @Test
  void sendsTheTimesOfCallsToTheDeveloperToolsOfBrowsers() {
    app.use(PASS);
    app.get("/u/:id", (req, res) -> res.set("Server-Timing", "db;dur=1").send("x"));
    List<String> timings = get("/u/7").all("Server-Timing");
    assertEquals("db;dur=1", timings.get(0));
    String expected =
        "total;dur=\\d+\\.\\d{3}, 01;desc=\"[^\"]*layer 2, use /\";dur=\\d+\\.\\d{3},"
            + " 02;desc=\"[^\"]*layer 3, get /u/:id[^\"]*\";dur=\\d+\\.\\d{3}";
    assertTrue(timings.get(1).matches(expected), timings::toString);
    assertFalse(last().contains("Server-Timing: total"), this::last);
    app.set("env", "production");
    assertEquals(List.of("db;dur=1"), get("/u/7").all("Server-Timing"));
  }

  @Test
  void showsThrownAndForwardedErrors() {
    app.get(
        "/x",
        (req, res) -> {
          throw new IllegalStateException("a");
        });
    app.use((error, req, res, next) -> next.fail(new IllegalArgumentException("b")));
    get("/x");
    String json = last();
    assertTrue(json.contains("\"threw\":\"java.lang.IllegalStateException: a\""), json);
    assertTrue(json.contains("\"error\":\"java.lang.IllegalStateException: a\""), json);
    assertTrue(json.contains("\"passesError\":\"java.lang.IllegalArgumentException: b\""), json);
    assertTrue(
        json.contains("\"asTest\":\"Reply reply =\\n    Call.of(\\\"GET\\\", \\\"/x\\\")"), json);
    assertTrue(json.contains("\"asRecording\":\"[\\n{\\\"id\\\":\\\"get/"), json);
  }

  @Test
  void showsTheSizeIfItIsKnown() {
    app.get("/x", (req, res) -> res.send("four"));
    app.get(
        "/chunks",
        (req, res) -> {
          res.write("a");
          res.end();
        });
    get("/x");
    assertTrue(last().contains("\"size\":4,"), last());
    get("/chunks");
    assertTrue(last().contains("\"size\":-1,"), last());
  }

  @Test
  void aRequestIsACommandWithoutTheHeadersThatBrowsersAdd() {
    app.get("/x", (req, res) -> res.send("x"));
    Call.get("/x?a=1")
        .header("Host", "localhost:3000")
        .header("Accept", "text/html")
        .header("Accept-Language", "en")
        .header("Cookie", "sid=7")
        .header("Sec-Fetch-Mode", "navigate")
        .header("Upgrade-Insecure-Requests", "1")
        .header("User-Agent", "Browser/1")
        .to(app);
    String curl =
        "curl -i --path-as-is --globoff 'http://localhost:3000/x?a=1' \\\n  -H 'Accept: text/html'";
    assertTrue(last().contains("\"asCurl\":" + JsonText.of(curl)), last());
  }

  @Test
  @DisplayName("DEV-03: secrets of headers are masked")
  void masksSecretsOfHeaders() {
    app.get("/x", (req, res) -> res.set("Set-Cookie", "sid=1").send("x"));
    Call.get("/x").header("Authorization", "Basic secret1").header("Cookie", "secret2").to(app);
    String json = last();
    assertTrue(json.contains("\"Authorization: masked\""), json);
    assertTrue(json.contains("\"+ Set-Cookie: masked\""), json);
    assertFalse(json.contains("secret1") || json.contains("secret2"), json);
  }

  @Test
  @DisplayName("DEV-03: secrets of error messages are masked")
  void masksSecretsOfErrorMessages() {
    app.get(
        "/x",
        (req, res) -> {
          throw new IOException("401 for https://a.example/?api_key=S3");
        });
    app.use(
        (error, req, res, next) -> next.fail(new IllegalStateException("{\"password\":\"S3\"}")));
    get("/x");
    assertFalse(last().contains("S3"), this::last);
    assertFalse(get("/_percolate/requests").text().contains("S3"));
  }

  @Test
  void aLongHeaderNameDoesNotBreakThePage() {
    app.get("/x", (req, res) -> res.send("x"));
    Reply reply = Call.get("/x").header("X-" + "a".repeat(2100), "1").to(app);
    assertEquals(200, reply.status());
    assertTrue(last().contains("\"asCurl\":"), this::last);
  }

  @Test
  @DisplayName("DEV-05: keeps at most 200 requests")
  void keepsTwoHundredRequestsAtMost() {
    app.get("/x", (req, res) -> res.send("x"));
    for (int i = 0; i < 230; i++) {
      get("/x?" + i);
    }
    String all = get("/_percolate/requests").text();
    assertEquals(200, all.split("\"id\":", -1).length - 1);
    assertTrue(all.contains("/x?229") && !all.contains("/x?29\""), all);
  }

  @Test
  @DisplayName("DEV-05: keeps at most 10 MB")
  void keepsTenMegabytesAtMost() {
    app.get(
        "/x",
        (req, res) -> {
          throw new IllegalStateException("e".repeat(5000));
        });
    for (int i = 0; i < 15; i++) {
      app.use((error, req, res, next) -> next.fail(error));
    }
    app.use((error, req, res, next) -> res.status(500).end());
    for (int i = 0; i < 200; i++) {
      get("/x");
    }
    int kept = get("/_percolate/requests").text().split("\"id\":", -1).length - 1;
    assertTrue(kept > 10 && kept < 200, "" + kept);
  }

  @Test
  @DisplayName("DEV-05: releases the bodies of completed requests")
  void releasesTheBodiesOfCompletedRequests() throws Exception {
    int scan = Integer.getInteger("percolate.scan", 250);
    List<WeakReference<byte[]>> bodies = new CopyOnWriteArrayList<>();
    app.use(
        (req, res, next) -> {
          byte[] body = new byte[1000];
          bodies.add(new WeakReference<>(body));
          req.attr(Request.RAW, body);
          next.run();
        });
    try (MemoryEngine engine = new MemoryEngine();
        Client client = engine.client(app)) {
      for (int i = 0; i < scan; i++) {
        assertEquals(404, Call.get("/scan/" + i).to(client).status());
      }
    }
    assertEquals(scan, bodies.size());
    while (bodies.stream().anyMatch(body -> body.get() != null)) {
      System.gc();
      Thread.sleep(5);
    }
    assertEquals(200, get("/_percolate/requests").text().split("\"id\":", -1).length - 1);
  }

  @Test
  void sendsRequestsAsEvents() throws Exception {
    app.get("/x", (req, res) -> res.send("x"));
    try (MemoryEngine engine = new MemoryEngine();
        Client client = engine.client(app)) {
      TestConnection events = Call.get("/_percolate/events").open(client);
      events.await("retry: 1000");
      assertEquals(200, Call.get("/x?" + SCRIPT).to(client).status());
      events.await("\"target\":\"/x?\\u003cscript\\u003e").await("\"open\":false");
      events.close();
    }
  }

  @Test
  void eventsEndAtAShutdown() {
    try (MemoryEngine engine = new MemoryEngine();
        Client client = engine.client(app);
        TestEventStream events = client.events("/_percolate/events")) {
      assertEquals(200, events.head().status());
      app.onShutdown();
      assertTrue(events.awaitEnd());
    }
    assertEquals(200, Call.of("HEAD", "/_percolate/events").to(app).status());
  }

  @Test
  void showsOpenAndClosedSockets() {
    app.get("/talk", WebSockets.callbacks().onText((socket, text) -> socket.send(text + "!")));
    try (MemoryEngine engine = new MemoryEngine();
        Client client = engine.client(app);
        TestWebSocket talk = client.webSocket("/talk")) {
      talk.send("a").send("b");
      assertEquals("a!b!", talk.text() + talk.text());
      // A message is counted after it was sent.
      String live = await("/_percolate/live", "\"messagesOut\":2,");
      assertTrue(live.contains("\"target\":\"/talk\",\"status\":101,\"open\":true"), live);
      assertTrue(live.contains("\"kind\":\"socket\""), live);
      assertTrue(live.contains("\"messagesIn\":2,"), live);
      talk.send("c").close(4001, SCRIPT);
      talk.awaitEnd();
      live = await("/_percolate/live", "\"open\":false");
      assertTrue(live.contains("\"messagesIn\":3,"), live);
      assertTrue(live.contains("\"code\":4001,\"reason\":\"\\u003cscript\\u003e"), live);
    }
  }

  @Test
  void showsOpenStreams() {
    app.get("/stream", (req, res) -> res.write("a"));
    try (MemoryEngine engine = new MemoryEngine();
        Client client = engine.client(app);
        TestConnection talk = Call.get("/stream").open(client)) {
      talk.await("a");
      String live = get("/_percolate/live").text();
      assertTrue(live.contains("\"target\":\"/stream\",\"status\":200,\"open\":true"), live);
      assertTrue(live.contains("\"kind\":\"stream\""), live);
      talk.disconnect();
      assertEquals("[]", await("/_percolate/live", "[]"));
    }
  }

  @Test
  void openRequestsAreKeptLongerThanCompletedOnes() {
    app.get("/stream", (req, res) -> res.write("a")).get("/x", (req, res) -> res.send("x"));
    try (MemoryEngine engine = new MemoryEngine();
        Client client = engine.client(app);
        TestConnection talk = Call.get("/stream").open(client)) {
      talk.await("a");
      for (int i = 0; i < 250; i++) {
        get("/x");
      }
      assertTrue(get("/_percolate/live").text().contains("/stream"));
      assertTrue(get("/_percolate/requests").text().contains("\"target\":\"/stream\""));
    }
  }

  /** Requests a path until the response contains a text, and returns the response. */
  private String await(String path, String text) {
    while (true) {
      String found = get(path).text();
      if (found.contains(text)) {
        return found;
      }
      Thread.onSpinWait();
    }
  }

  @Test
  void showsTheMapAndCounters() {
    app.get("/x", PASS);
    String map = get("/_percolate/map").text();
    assertTrue(map.contains("\"kind\":\"get\",\"path\":\"/x\""), map);
    assertTrue(get("/_percolate/counters").text().contains("{\"open connections\":"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "/inspector.css", "/inspector.js"})
  @DisplayName("DEV-04: its pages have a strict content security policy")
  void pagesHaveAStrictContentSecurityPolicy(String path) {
    Reply reply = get("/_percolate" + path);
    assertEquals(200, reply.status());
    String policy = String.valueOf(reply.header("Content-Security-Policy"));
    assertTrue(policy.startsWith("default-src 'none'"), policy);
    assertFalse(policy.contains("unsafe"), policy);
    assertFalse(reply.text().contains("innerHTML"));
    assertFalse(reply.text().matches("(?s).*(src|href)=.https?:.*"));
  }

  @ParameterizedTest
  @CsvSource({
    "Host, evil.example",
    "Host, 192.168.0.7",
    "Host, localhost.evil.example",
    "Origin, http://evil.example",
    "Origin, null",
    "Origin, http://localhost:9",
    "Sec-Fetch-Site, cross-site",
    "Sec-Fetch-Site, same-site",
  })
  @DisplayName("DEV-02: requests from other origins are rejected")
  void rejectsOtherOrigins(String name, String value) {
    for (String path : new String[] {"", "/requests", "/events", "/map"}) {
      Reply reply = Call.get("/_percolate" + path).header(name, value).to(app);
      assertEquals(403, reply.status(), path);
    }
  }

  @Test
  @DisplayName("DEV-01: not available in production, on other machines, or through a proxy")
  void isNotAvailableInProductionOrThroughAProxy() {
    assertEquals(
        404, Call.get("/_percolate").header("X-Forwarded-For", "1.2.3.4").to(app).status());
    app.set("env", "production");
    assertEquals(404, get("/_percolate").status());
  }

  @Test
  void unknownPathsAreNotFound() {
    assertEquals(404, get("/_percolate/requests/999").status());
    assertEquals(404, get("/_percolate/requests/x").status());
    assertEquals(404, get("/_percolate/../page.css").status());
    assertEquals(405, Call.post("/_percolate").to(app).status());
  }

  private Reply get(String target) {
    return Call.get(target).to(app);
  }

  private String last() {
    String all = get("/_percolate/requests").text();
    String id = all.replaceAll("(?s)^\\[\\{\"id\":(\\d+).*", "$1");
    return get("/_percolate/requests/" + id).text();
  }
}

package dev.percolate.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Plays recorded requests against a running server. */
final class RunningServerTest {

  private static final Path RECORDING = Path.of("record", "library.json");
  private static final Path SECRETS = Path.of("record", "library.secrets");

  @Test
  void thePortHasTheRecordedResponsesOfTheExpressApplication() throws Exception {
    List<Scenario> scenarios = Scenario.read(RECORDING);
    assertTrue(scenarios.size() >= 40, () -> "" + scenarios.size());
    try (Server server = Library.serve(Library.app(), 0)) {
      RunningServer running = at(server, SECRETS);
      for (Scenario scenario : scenarios) {
        assertNull(running.play(scenario).difference(), scenario.id());
      }
    }
  }

  @Test
  void aRecordingContainsNoSecret() throws Exception {
    String recording = Files.readString(RECORDING);
    assertTrue(recording.contains("$SECRET{password}"));
    assertTrue(recording.contains("Bearer ann:$SECRET{token}"));
    assertTrue(recording.contains("visitor=$SECRET{cookie visitor}"));
    for (String secret : Files.readAllLines(SECRETS)) {
      String value = secret.substring(secret.indexOf('=') + 1);
      assertTrue(!value.isEmpty() && !recording.contains(value), secret);
    }
    assertTrue(!recording.matches("(?s).*[0-9a-f]{64}.*"), "contains a signature");
  }

  @Test
  void aHeaderThatDiffersIsNamed() throws Exception {
    App app = new App().get("/a", (req, res) -> res.set("X-B", "2").send("text"));
    Scenario scenario = scenario("/a", Map.of("status", 200, "headers", Map.of("x-b", "1")));
    assertTrue(played(app, scenario).contains("header x-b: expected \"1\", was \"2\""));
  }

  @Test
  void aSecretOfAResponseIsSentBackAndMayDifferFromTheRecordedOne() throws Exception {
    App app = new App();
    app.get("/in", (req, res) -> res.set("X-Token", "of today").set("X-Key", "k7").end());
    app.get("/me", (req, res) -> res.set("X-Saw", req.get("X-Key")).end());
    try (Server server = Library.serve(app, 0)) {
      RunningServer running = at(server, null);
      Map<String, Object> in = Map.of("x-token", "of today", "x-key", "$SECRET{key}");
      assertNull(running.play(scenario("/in", answer(in))).difference());
      Map<String, Object> request =
          Map.of("path", "/me", "headers", Map.of("X-Key", "$SECRET{key}"));
      Scenario me = scenario(request, answer(Map.of("x-saw", "k7")));
      assertNull(running.play(me).difference());
    }
  }

  @Test
  void anUnknownSecretIsReported() throws Exception {
    Map<String, Object> request = Map.of("path", "/", "headers", Map.of("X-Key", "$SECRET{key}"));
    String said = played(new App(), scenario(request, answer(Map.of())));
    assertEquals("no value of $SECRET{key}. Add --secrets FILE.", said);
  }

  @Test
  void aFailedConnectionIsReported() throws Exception {
    RunningServer running;
    try (Server server = Library.serve(new App(), 0)) {
      running = at(server, null);
    }
    String said = running.play(scenario("/", answer(Map.of()))).difference();
    assertNotNull(said);
    assertTrue(said.startsWith("cannot connect to "), said);
  }

  @Test
  void anInvalidAddressIsRejected() {
    for (String url : List.of("localhost:3000", "https://localhost", "http://a/b", "/")) {
      var error =
          assertThrows(
              IllegalArgumentException.class,
              () -> RunningServer.at(url, new RecordedSecrets()),
              url);
      assertEquals(
          "--url " + url + ": must be an address such as http://localhost:3000",
          error.getMessage());
    }
  }

  private static RunningServer at(Server server, Path secrets) throws Exception {
    RecordedSecrets known = new RecordedSecrets();
    if (secrets != null) {
      known.read(secrets);
    }
    return RunningServer.at("http://127.0.0.1:" + server.port(), known);
  }

  private static String played(App app, Scenario scenario) throws Exception {
    try (Server server = Library.serve(app, 0)) {
      return at(server, null).play(scenario).difference();
    }
  }

  private static Map<String, Object> answer(Map<String, Object> headers) {
    return Map.of("status", 200, "headers", headers, "body", "");
  }

  private static Scenario scenario(String path, Map<String, Object> expect) {
    return scenario(Map.of("path", path), expect);
  }

  private static Scenario scenario(Map<String, Object> request, Map<String, Object> expect) {
    return new Scenario(
        "a/b",
        "test",
        Map.of(),
        List.of(),
        List.of(request),
        Set.of("content-length", "etag"),
        List.of(expect),
        List.of());
  }
}

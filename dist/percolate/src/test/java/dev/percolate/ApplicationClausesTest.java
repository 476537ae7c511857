package dev.percolate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.engine.Engine;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.fixtures.TestCertificate;
import dev.percolate.framework.App;
import dev.percolate.framework.Route;
import dev.percolate.testkit.Call;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.HttpsURLConnection;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests clauses on applications that no scenario can show; each name begins with its clause. */
@Timeout(120)
final class ApplicationClausesTest {

  @TempDir private Path folder;
  private final App app = new App();

  private static String ask(Server server) {
    return Call.get("/").to(server.uri()).text();
  }

  private void answerWithProtocol() {
    Handler protocol = (req, res) -> res.send(req.protocol());
    app.get("/", protocol);
  }

  @Test
  @DisplayName("1-app-handler: an application is itself the handler given to a plain server")
  void anApplicationIsAHandler() throws Exception {
    answerWithProtocol();
    try (Server server = Engine.find().listen(app, ListenOptions.ofPort(0).host("127.0.0.1"))) {
      assertEquals("http", ask(server));
    }
  }

  @Test
  @DisplayName("4.3-listen: with a port; the server comes back bound, hence no callback")
  void listensOnAPort() throws Exception {
    answerWithProtocol();
    int port;
    try (Server server = app.listen(0)) {
      port = server.port();
      assertTrue(port > 0);
      assertEquals("http", Call.get("/").to(URI.create("http://127.0.0.1:" + port)).text());
      IOException taken = assertThrows(IOException.class, () -> app.listen(port).close());
      assertTrue(String.valueOf(taken.getMessage()).contains(String.valueOf(port)));
    }
    try (Server again = app.listen(port)) {
      assertEquals(port, again.port());
      assertEquals("http", ask(again));
    }
  }

  @Test
  @DisplayName("4.3-listen: without a port on a free one")
  void listensOnAFreePort() throws Exception {
    answerWithProtocol();
    try (Server server = app.listen();
        Server other = app.listen()) {
      assertTrue(server.port() != other.port());
      assertEquals("http", ask(server));
      assertEquals("http", ask(other));
    }
  }

  @Test
  @DisplayName("4.3-listen: with an address and a port; the server comes back bound")
  void listensOnOneAddress() throws Exception {
    answerWithProtocol();
    try (Server server = app.listen("127.0.0.1", 0)) {
      assertEquals("http", ask(server));
    }
    // An address for documentation, which no machine has.
    assertThrows(IOException.class, () -> app.listen("203.0.113.1", 0).close());
  }

  @Test
  @DisplayName("4.3-listen: with options; the server comes back bound")
  void listensWithOptions() throws Exception {
    answerWithProtocol();
    try (Server server = app.listen(ListenOptions.ofPort(0).maxTargetLength(64))) {
      assertEquals("http", ask(server));
      assertEquals(414, Call.get("/" + "x".repeat(100)).to(server.uri()).status());
    }
  }

  @Test
  @DisplayName("4.3-r11: one application serves a plain and a TLS port at the same time")
  void onePlainAndOneTlsPort() throws Exception {
    answerWithProtocol();
    TestCertificate certificate = TestCertificate.make(folder);
    ListenOptions tls = ListenOptions.ofPort(0).tls(certificate.tls());
    try (Server plain = app.listen(0);
        Server secure = app.listen(tls)) {
      assertEquals("http", ask(plain));
      URI uri = URI.create("https://localhost:" + secure.port() + "/");
      HttpsURLConnection connection = (HttpsURLConnection) uri.toURL().openConnection();
      connection.setSSLSocketFactory(TestCertificate.trusting(certificate).getSocketFactory());
      try (InputStream answer = connection.getInputStream()) {
        assertEquals("https", new String(answer.readAllBytes(), UTF_8));
      } finally {
        connection.disconnect();
      }
      assertEquals("http", ask(plain));
    }
  }

  @Test
  @DisplayName("2.8-env-default: env is development when the process gives no mode")
  void envIsDevelopment() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            classPath(),
            EnvMain.class.getName());
    builder.environment().remove("APP_ENV");
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.redirectErrorStream(true).start();
    try (InputStream out = process.getInputStream()) {
      assertEquals("development 2", new String(out.readAllBytes(), UTF_8).strip());
      assertEquals(0, process.waitFor());
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  @DisplayName("2.8-replacer-default: json replacer is null, which is not the same as never set")
  void theReplacerIsNull() {
    assertNull(app.get("json replacer"));
    assertTrue(app.settings().has("json replacer"));
    assertNull(app.get("json replacement"));
    assertFalse(app.settings().has("json replacement"));
    App outer = new App().set("json replacer", List.of("name"));
    outer.use("/inner", app);
    assertEquals(List.of("name"), app.get("json replacer"));
  }

  @Test
  @DisplayName("2.9-locals-only-settings: the locals of a new application hold settings alone")
  void settingsAreTheOnlyLocal() {
    assertEquals(Set.of("settings"), app.locals().keySet());
    assertSame(app.settings(), app.locals().get("settings"));
  }

  @Test
  @DisplayName("2.9-routes-removal: a single record taken out of its list no longer matches")
  void aSingleRouteIsRemoved() {
    Handler answer = (req, res) -> res.send(req.path());
    app.get("/a", answer).get("/b", answer).get("/c", answer);
    List<Route> routes = app.routes().get("get");
    Objects.requireNonNull(routes).remove(1);
    assertEquals(404, Call.get("/b").to(app).status());
    assertEquals("/a", Call.get("/a").to(app).text());
    assertEquals("/c", Call.get("/c").to(app).text());
    assertEquals(2, routes.size());
    routes.removeIf(route -> route.path().equals("/a"));
    assertEquals(404, Call.get("/a").to(app).status());
    assertEquals("/c", Call.get("/c").to(app).text());
  }

  private static String classPath() throws Exception {
    String file = EnvMain.class.getSimpleName() + ".class";
    Path own = Path.of(Objects.requireNonNull(EnvMain.class.getResource(file)).toURI());
    for (int i = 0; i < 3; i++) {
      own = Objects.requireNonNull(own.getParent());
    }
    return Stream.of(
            own.toString(),
            System.getProperty("jdk.module.path"),
            System.getProperty("java.class.path"))
        .filter(path -> path != null && !path.isEmpty())
        .collect(Collectors.joining(File.pathSeparator));
  }
}

package dev.percolate.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.fixtures.TestCertificate;
import dev.percolate.nio.NioEngine;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * HTTP/2 with curl and Node, where these are on the {@code PATH}, and while certificates change.
 */
@Timeout(60)
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
final class OtherClientsTest {

  @TempDir private static Path folder;
  private static TestCertificate certificate;
  private static Server secure;
  private static Server plain;

  @BeforeAll
  static void serve() throws Exception {
    certificate = TestCertificate.make(folder);
    secure = listen(options().tls(certificate.tls()));
    plain = listen(options().http2PriorKnowledge(true));
  }

  @AfterAll
  static void close() {
    secure.close();
    plain.close();
  }

  private static ListenOptions options() {
    return ListenOptions.ofPort(0).host("127.0.0.1");
  }

  private static Server listen(ListenOptions options) throws IOException {
    return new NioEngine().listen(Chain.service(new Settings(), OtherClientsTest::route), options);
  }

  private static void route(Request req, Response res, Next next) throws Exception {
    switch (req.path()) {
      case "/echo" -> res.end(req.inputStream(1 << 24).readAllBytes());
      case "/endless" -> {
        while (!res.finished()) {
          res.write(new byte[10_000]); // fails when the client has disconnected
        }
      }
      default -> res.end(req.httpVersion());
    }
  }

  @ParameterizedTest
  @CsvSource({"--http1.1, 1.1", "--http2, 2.0"})
  void curlSpeaksBothOverTls(String version, String seen) throws Exception {
    String origin = "https://localhost:" + secure.port();
    String trusted = certificate.pemFile().toString();
    assertEquals(
        seen,
        ClientProgram.run("curl", "-sS", "--fail", version, "--cacert", trusted, origin + "/"));
    String body = "x".repeat(90_000);
    Path file = Files.writeString(folder.resolve("body"), body);
    String sent = "@" + file;
    String echo = origin + "/echo";
    String twice =
        ClientProgram.run(
            "curl", "-sS", version, "--cacert", trusted, "--data-binary", sent, echo, echo);
    assertEquals(body + body, twice);
  }

  @ParameterizedTest
  @CsvSource({"--http1.1, 1.1", "--http2-prior-knowledge, 2.0", "--http2, 1.1"})
  void curlSpeaksBothInClearText(String version, String seen) throws Exception {
    assertEquals(
        seen,
        ClientProgram.run("curl", "-sS", "--fail", version, "http://localhost:" + plain.port()));
  }

  @Test
  void nodeSpeaksBoth() throws Exception {
    Path script = folder.resolve("node.cjs");
    try (InputStream in = OtherClientsTest.class.getResourceAsStream("/clients/node.cjs")) {
      Files.write(script, Objects.requireNonNull(in).readAllBytes());
    }
    String trusted = certificate.pemFile().toString();
    String origin = "https://localhost:" + secure.port();
    assertEquals("ok", ClientProgram.run("node", script.toString(), origin, trusted).strip());
    assertEquals(
        "ok",
        ClientProgram.run("node", script.toString(), "http://localhost:" + plain.port()).strip());
  }

  @Test
  void certificatesAreRenewedUnderLoadWithoutALostRequest() throws Exception {
    Path store = folder.resolve("renewed.p12");
    TestCertificate first = TestCertificate.make(folder.resolve("first.p12"), "EC", "localhost");
    TestCertificate second = TestCertificate.make(folder.resolve("second.p12"), "EC", "localhost");
    SSLContext trusting = TestCertificate.trusting(first, second);
    Files.copy(first.store(), store);
    AtomicBoolean over = new AtomicBoolean();
    try (Server server = listen(options().tls(new TestCertificate(store).tls()))) {
      List<CompletableFuture<Integer>> clients = new ArrayList<>();
      for (HttpClient.Version version : HttpClient.Version.values()) {
        CompletableFuture<Integer> responses = new CompletableFuture<>();
        clients.add(responses);
        Thread asking =
            new Thread(
                () -> {
                  try {
                    responses.complete(ask(server.port(), trusting, version, over));
                  } catch (Exception e) {
                    responses.completeExceptionally(e);
                  }
                });
        asking.start();
      }
      for (int i = 0; i < 12; i++) {
        Path next = (i % 2 == 0 ? second : first).store();
        Files.copy(next, store, StandardCopyOption.REPLACE_EXISTING);
        server.reloadTls();
        TimeUnit.MILLISECONDS.sleep(25);
      }
      over.set(true);
      for (CompletableFuture<Integer> client : clients) {
        assertTrue(client.get(20, TimeUnit.SECONDS) >= 9);
      }
      assertEquals(0, server.failedHandshakes());
    }
  }

  /** Sends requests until the end, on a kept connection and on new ones; counts the responses. */
  private static int ask(
      int port, SSLContext trusting, HttpClient.Version version, AtomicBoolean over)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/")).build();
    HttpClient.Builder clients = HttpClient.newBuilder().sslContext(trusting).version(version);
    HttpClient kept = clients.build();
    String seen = version == HttpClient.Version.HTTP_2 ? "2.0" : "1.1";
    int responses = 0;
    while (!over.get()) {
      for (HttpClient one : List.of(kept, kept, clients.build())) {
        assertEquals(seen, one.send(request, BodyHandlers.ofString()).body());
        responses++;
      }
    }
    return responses;
  }
}

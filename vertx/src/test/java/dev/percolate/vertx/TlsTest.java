package dev.percolate.vertx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.engine.Tls;
import dev.percolate.engine.tests.RawSocket;
import dev.percolate.engine.tests.TestCertificate;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpConnectOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTPS, with HTTP/2 and without. */
final class TlsTest {

  @TempDir private static Path folder;
  private static TestCertificate certificate;
  private static TlsClient clients;

  private final Service service = Chain.service(new Settings(), TlsTest::route);

  @BeforeAll
  static void makeCertificate() throws Exception {
    certificate = TestCertificate.make(folder);
    clients = new TlsClient();
  }

  @AfterAll
  static void closeClients() {
    clients.close();
  }

  private static void route(Request req, Response res, Next next) throws Exception {
    switch (req.path()) {
      case "/echo" -> res.end(req.inputStream(1 << 22).readAllBytes());
      case "/file" -> res.sendFile(Path.of(req.query("name")));
      default ->
          res.end(req.protocol() + " " + req.httpVersion() + " " + (req.get("Host") != null));
    }
  }

  private static Server serve(Service service, Tls tls) throws IOException {
    return new VertxEngine().listen(service, ListenOptions.ofPort(0).host("127.0.0.1").tls(tls));
  }

  private static Buffer ask(
      Server server, HttpVersion version, HttpMethod method, String target, Buffer body)
      throws Exception {
    HttpClient client = clients.open(version);
    try {
      return get(
          client
              .request(method, server.port(), "127.0.0.1", target)
              .compose(request -> request.send(body))
              .compose(response -> response.body()));
    } finally {
      get(client.close());
    }
  }

  private static <T> T get(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private static String greeting(Server server, HttpVersion version) throws Exception {
    return ask(server, version, HttpMethod.GET, "/", Buffer.buffer()).toString();
  }

  @Test
  void bothVersionsAreSpokenWithAKeyStore() throws Exception {
    try (Server server = serve(service, certificate.tls())) {
      assertEquals("https", server.uri().getScheme());
      assertEquals("https 2.0 true", greeting(server, HttpVersion.HTTP_2));
      assertEquals("https 1.1 true", greeting(server, HttpVersion.HTTP_1_1));
    }
  }

  @Test
  void pemFilesServeAsWell() throws Exception {
    try (Server server = serve(service, certificate.pem())) {
      assertEquals("https 2.0 true", greeting(server, HttpVersion.HTTP_2));
    }
  }

  @Test
  void aMissingCertificateIsAnErrorThatNamesTheFile() {
    Path missing = folder.resolve("missing.crt");
    IOException e =
        assertThrows(IOException.class, () -> serve(service, Tls.pem(missing, missing)));
    assertTrue(e.getMessage().contains("missing.crt"), e.getMessage());
  }

  @Test
  void oneServiceIsServedOnHttpAndHttpsAtOnce() throws Exception {
    try (Server secure = serve(service, certificate.tls());
        Server clear = new VertxEngine().listen(service, ListenOptions.ofPort(0));
        RawSocket socket = new RawSocket(clear)) {
      assertEquals("https 2.0 true", greeting(secure, HttpVersion.HTTP_2));
      socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readTo("\r\n\r\nhttp 1.1 true");
    }
  }

  @Test
  void largeBodiesPassBothWaysOnHttp2() throws Exception {
    Buffer body = Buffer.buffer(random(3 << 20));
    try (Server server = serve(service, certificate.tls())) {
      assertEquals(body, ask(server, HttpVersion.HTTP_2, HttpMethod.POST, "/echo", body));
      assertEquals(body, ask(server, HttpVersion.HTTP_1_1, HttpMethod.POST, "/echo", body));
    }
  }

  @Test
  void filesAreSentOnBothVersions() throws Exception {
    byte[] content = random(1 << 20);
    Path file = Files.write(folder.resolve("content"), content);
    String target = "/file?name=" + file;
    try (Server server = serve(service, certificate.tls())) {
      for (HttpVersion version : List.of(HttpVersion.HTTP_1_1, HttpVersion.HTTP_2)) {
        Buffer got = ask(server, version, HttpMethod.GET, target, Buffer.buffer());
        assertArrayEquals(content, got.getBytes());
      }
    }
  }

  @Test
  void aConnectionThatAsksForNothingDoesNotHoldUpClosing() throws Exception {
    HttpClientAgent client = clients.open(HttpVersion.HTTP_1_1);
    Server server = serve(service, certificate.tls());
    HttpConnectOptions to = new HttpConnectOptions().setHost("127.0.0.1").setPort(server.port());
    get(client.connect(to));
    long begun = System.nanoTime();
    server.close();
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    assertTrue(millis < 5_000, millis + " ms");
    get(client.close());
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(42).nextBytes(bytes);
    return bytes;
  }
}

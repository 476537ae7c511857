package dev.percolate.vertx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.ListenOptions;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Server;
import dev.percolate.core.Service;
import dev.percolate.core.Settings;
import dev.percolate.core.Tls;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTPS, with HTTP/2 and without. */
final class TlsTest {

  private static final String PASSWORD = "secret";

  @TempDir private static Path folder;
  private static Path store;
  private static Vertx vertx;

  private final Service service = Service.of(new Settings(), TlsTest::route);

  @BeforeAll
  static void makeCertificate() throws Exception {
    vertx = Vertx.vertx();
    store = folder.resolve("server.p12");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    List<String> command =
        List.of(
            keytool,
            "-genkeypair",
            "-alias",
            "server",
            "-keyalg",
            "EC",
            "-validity",
            "2",
            "-dname",
            "CN=localhost",
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass",
            PASSWORD,
            "-keypass",
            PASSWORD);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
  }

  @AfterAll
  static void closeClient() throws Exception {
    get(vertx.close());
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

  private static HttpClient client(HttpVersion version) {
    return vertx.createHttpClient(
        new HttpClientOptions()
            .setSsl(true)
            .setTrustAll(true)
            .setVerifyHost(false)
            .setUseAlpn(true)
            .setProtocolVersion(version));
  }

  private static Buffer ask(
      Server server, HttpVersion version, HttpMethod method, String target, Buffer body)
      throws Exception {
    HttpClient client = client(version);
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
    try (Server server = serve(service, Tls.keyStore(store, PASSWORD))) {
      assertEquals("https", server.uri().getScheme());
      assertEquals("https 2.0 true", greeting(server, HttpVersion.HTTP_2));
      assertEquals("https 1.1 true", greeting(server, HttpVersion.HTTP_1_1));
    }
  }

  @Test
  void pemFilesServeAsWell() throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    Path certificate = folder.resolve("server.crt");
    Path key = folder.resolve("server.key");
    Files.writeString(certificate, pem("CERTIFICATE", keys.getCertificate("server").getEncoded()));
    byte[] secret = keys.getKey("server", PASSWORD.toCharArray()).getEncoded();
    Files.writeString(key, pem("PRIVATE KEY", secret));
    try (Server server = serve(service, Tls.pem(certificate, key))) {
      assertEquals("https 2.0 true", greeting(server, HttpVersion.HTTP_2));
    }
  }

  private static String pem(String what, byte[] der) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
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
    try (Server secure = serve(service, Tls.keyStore(store, PASSWORD));
        Server clear = new VertxEngine().listen(service, ListenOptions.ofPort(0));
        RawSocket socket = new RawSocket(clear)) {
      assertEquals("https 2.0 true", greeting(secure, HttpVersion.HTTP_2));
      socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readTo("\r\n\r\nhttp 1.1 true");
    }
  }

  @Test
  void largeBodiesPassBothWaysOnHttp2() throws Exception {
    Buffer body = Buffer.buffer(random(3 << 20));
    try (Server server = serve(service, Tls.keyStore(store, PASSWORD))) {
      assertEquals(body, ask(server, HttpVersion.HTTP_2, HttpMethod.POST, "/echo", body));
      assertEquals(body, ask(server, HttpVersion.HTTP_1_1, HttpMethod.POST, "/echo", body));
    }
  }

  @Test
  void filesAreSentOnBothVersions() throws Exception {
    byte[] content = random(1 << 20);
    Path file = Files.write(folder.resolve("content"), content);
    String target = "/file?name=" + file;
    try (Server server = serve(service, Tls.keyStore(store, PASSWORD))) {
      for (HttpVersion version : List.of(HttpVersion.HTTP_1_1, HttpVersion.HTTP_2)) {
        Buffer got = ask(server, version, HttpMethod.GET, target, Buffer.buffer());
        assertArrayEquals(content, got.getBytes());
      }
    }
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(42).nextBytes(bytes);
    return bytes;
  }
}

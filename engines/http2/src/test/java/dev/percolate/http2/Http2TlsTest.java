package dev.percolate.http2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.fixtures.Logged;
import dev.percolate.fixtures.TestCertificate;
import dev.percolate.nio.NioEngine;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** HTTP/2 with clients that negotiate it over TLS. */
@Timeout(60)
final class Http2TlsTest {

  private static final int LARGE = 3_000_000;
  private static final byte[] BYTES = new byte[LARGE];

  @TempDir private static Path folder;
  private static TestCertificate certificate;
  private static Server server;
  private static CompletableFuture<Throwable> failure = new CompletableFuture<>();
  private static HttpClient client;

  @BeforeAll
  static void serve() throws Exception {
    new Random(7).nextBytes(BYTES);
    Files.write(folder.resolve("large"), BYTES);
    certificate = TestCertificate.make(folder);
    ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1").tls(certificate.tls());
    server = new NioEngine().listen(Chain.service(new Settings(), Http2TlsTest::route), options);
    client = client(HttpClient.Version.HTTP_2);
  }

  @AfterAll
  static void close() {
    server.close();
  }

  private static void route(Request req, Response res, Next next) throws Exception {
    switch (req.path()) {
      case "/echo" -> res.end(req.inputStream(1 << 24).readAllBytes());
      case "/file" -> res.sendFile(folder.resolve("large"));
      case "/pieces" -> {
        for (int i = 0; i < LARGE; i += 100_000) {
          res.write(Arrays.copyOfRange(BYTES, i, i + 100_000));
        }
        res.end();
      }
      case "/flood" -> {
        try {
          while (true) {
            res.write(BYTES);
          }
        } catch (IOException e) {
          failure.complete(e);
        }
      }
      default ->
          res.set("Connection", "keep-alive")
              .set("Keep-Alive", "timeout=5")
              .end(req.protocol() + " " + req.httpVersion() + " " + req.secure());
    }
  }

  private static HttpClient client(HttpClient.Version version) throws Exception {
    return HttpClient.newBuilder()
        .sslContext(TestCertificate.trusting(certificate))
        .version(version)
        .build();
  }

  private static HttpRequest.Builder request(String target) {
    return HttpRequest.newBuilder(URI.create("https://localhost:" + server.port() + target))
        .timeout(Duration.ofSeconds(30));
  }

  @Test
  void clientsThatOfferHttp2GetIt() throws Exception {
    HttpResponse<String> answer = client.send(request("/").build(), BodyHandlers.ofString());
    assertEquals(HttpClient.Version.HTTP_2, answer.version());
    assertEquals("https 2.0 true", answer.body());
    assertTrue(answer.headers().firstValue("connection").isEmpty());
    assertTrue(answer.headers().firstValue("keep-alive").isEmpty());
  }

  @Test
  void otherClientsGetHttp1() throws Exception {
    HttpClient old = client(HttpClient.Version.HTTP_1_1);
    HttpResponse<String> answer = old.send(request("/").build(), BodyHandlers.ofString());
    assertEquals("https 1.1 true", answer.body());
  }

  @Test
  void largeBodiesAreSentAndReceived() throws Exception {
    HttpRequest echo = request("/echo").POST(BodyPublishers.ofByteArray(BYTES)).build();
    assertArrayEquals(BYTES, client.send(echo, BodyHandlers.ofByteArray()).body());
    for (String target : List.of("/file", "/pieces")) {
      byte[] body = client.send(request(target).build(), BodyHandlers.ofByteArray()).body();
      assertArrayEquals(BYTES, body, target);
    }
  }

  @Test
  void manySmallAndLargeResponsesAllArrive() throws Exception {
    List<CompletableFuture<HttpResponse<byte[]>>> all = new ArrayList<>();
    for (int i = 0; i < 90; i++) {
      String target = i % 30 == 0 ? "/pieces" : "/";
      all.add(client.sendAsync(request(target).build(), BodyHandlers.ofByteArray()));
    }
    for (int i = 0; i < all.size(); i++) {
      HttpResponse<byte[]> answer = all.get(i).get(30, TimeUnit.SECONDS);
      assertEquals(200, answer.statusCode());
      assertEquals(i % 30 == 0 ? LARGE : 14, answer.body().length);
    }
  }

  @Test
  void aStreamThatIsCancelledEndsItsExchangeOnly() throws Exception {
    failure = new CompletableFuture<>();
    HttpResponse<InputStream> flood =
        client.send(request("/flood").build(), BodyHandlers.ofInputStream());
    assertEquals(1, flood.body().readNBytes(1).length);
    flood.body().close();
    Throwable seen = failure.get(20, TimeUnit.SECONDS);
    assertInstanceOf(
        ClientDisconnectedException.class, seen.getCause() == null ? seen : seen.getCause());
    assertEquals(200, client.send(request("/").build(), BodyHandlers.ofString()).statusCode());
  }

  @Test
  void invalidDataAfterChoosingHttp2WritesNothingToTheLog() throws Exception {
    String forged = "GET /\nSEVERE: forged\u001b[31m HTTP/1.1\r\n\r\n";
    try (Logged log = new Logged("dev.percolate");
        SSLSocket socket =
            (SSLSocket)
                TestCertificate.trusting(certificate)
                    .getSocketFactory()
                    .createSocket(InetAddress.getLoopbackAddress(), server.port())) {
      SSLParameters offers = socket.getSSLParameters();
      offers.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(offers);
      socket.startHandshake();
      assertEquals("h2", socket.getApplicationProtocol());
      FrameClient talk = FrameClient.over(socket);
      talk.raw(forged.getBytes(StandardCharsets.ISO_8859_1));
      assertEquals(ErrorCode.PROTOCOL_ERROR, talk.awaitGoAway().number(4));
      assertEquals(List.of(), log.messages());
    }
  }
}

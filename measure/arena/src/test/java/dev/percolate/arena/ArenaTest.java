package dev.percolate.arena;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.Server;
import dev.percolate.engine.Tls;
import dev.percolate.fixtures.RawSocket;
import dev.percolate.fixtures.TestCertificate;
import java.io.ByteArrayInputStream;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the rules of each profile without a database, as the validation of HttpArena does. */
final class ArenaTest {

  private static final String BOTH = "br;q=1, gzip;q=0.8";
  private static final Random RANDOM = new Random();

  @TempDir private static Path folder;
  private static List<Server> servers;
  private static ArenaClient http;
  private static ArenaClient https;
  private static ArenaClient http2;

  @BeforeAll
  static void start() throws Exception {
    ArenaData.write(folder);
    TestCertificate certificate = TestCertificate.make(folder);
    Tls.Pem pem = (Tls.Pem) certificate.pem();
    servers =
        ArenaServer.start(
            Map.of(
                "ARENA_DATA", folder.toString(),
                "ARENA_PORTS", "0,0,0,0",
                "TLS_CERT", pem.certificate().toString(),
                "TLS_KEY", pem.key().toString()));
    SSLContext tls = TestCertificate.trusting(certificate);
    http = new ArenaClient(servers.get(0), Version.HTTP_1_1, tls);
    https = new ArenaClient(servers.get(1), Version.HTTP_1_1, tls);
    http2 = new ArenaClient(servers.get(2), Version.HTTP_2, tls);
  }

  @AfterAll
  static void stop() throws Exception {
    for (Server server : servers) {
      server.close();
    }
  }

  private static int random() {
    return 100 + RANDOM.nextInt(900);
  }

  private static String type(HttpResponse<?> response) {
    return response.headers().firstValue("Content-Type").orElse("").split(";", -1)[0];
  }

  private static RawSocket raw() throws Exception {
    return new RawSocket(servers.get(0));
  }

  @Test
  void baselineAddsTheParametersAndTheBody() throws Exception {
    assertEquals("55", http.text("/baseline11?a=13&b=42"));
    int a = random();
    int b = random();
    assertEquals(Integer.toString(a + b), http.text("/baseline11?a=" + a + "&b=" + b));
    for (int i = 0; i < 2; i++) {
      int body = random();
      assertEquals(Integer.toString(55 + body), sum(body, false));
      assertEquals(Integer.toString(55 + body), sum(body, true));
    }
  }

  private static String sum(int body, boolean chunked) throws Exception {
    byte[] bytes = Integer.toString(body).getBytes(UTF_8);
    return http.post(
        "/baseline11?a=13&b=42",
        chunked
            ? BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes))
            : BodyPublishers.ofByteArray(bytes),
        "text/plain");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /baseli|ne11?a=13&b=42 HTTP/1.1~Host: localhost~Connection: close~~",
        "GET /baseline11?a=13&b=42 HTTP/1.1~|Host: localhost~|User-Agent: x~|Connection: close~|~",
      })
  void aRequestInPiecesIsPutTogether(String pieces) throws Exception {
    assertTrue(answer(pieces).endsWith("\r\n\r\n55"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"|20", "|2|0"})
  void aBodyInPiecesIsPutTogether(String body) throws Exception {
    String head =
        "POST /baseline11?a=13&b=42 HTTP/1.1~Host: localhost~Content-Type: text/plain~"
            + "Content-Length: 2~Connection: close~~";
    assertTrue(answer(head + body).endsWith("\r\n\r\n75"));
  }

  /** Sends pieces that are separated by a bar. A tilde stands for the end of a line. */
  private static String answer(String pieces) throws Exception {
    try (RawSocket socket = raw()) {
      for (String piece : pieces.replace("~", "\r\n").split("\\|", -1)) {
        socket.send(piece);
        Thread.sleep(10); // so that the pieces arrive one by one
      }
      return socket.readToClose();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 2~~20", "Transfer-Encoding: chunked~~2~20~0~~"})
  void aBodyWithoutTypeIsRead(String end) throws Exception {
    String head = "POST /baseline11?a=13&b=42 HTTP/1.1~Host: localhost~Connection: close~";
    assertTrue(answer(head + end).endsWith("\r\n\r\n75"));
  }

  @Test
  void sixteenPipelinedRequestsGetTheirResponses() throws Exception {
    try (RawSocket socket = raw()) {
      socket.send("GET /pipeline HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(16));
      for (int i = 0; i < 16; i++) {
        String head = socket.readTo("\r\n\r\n");
        assertTrue(head.startsWith("HTTP/1.1 200 OK\r\n"), head);
        assertTrue(head.contains("Content-Type: text/plain"), head);
        assertEquals("ok", socket.read(2));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"12, 3", "22, 1", "31, 7", "50, 2"})
  void jsonHasTheFirstItemsWithTheirTotals(int count, int factor) throws Exception {
    assertItems(http.get("/json/" + count + "?m=" + factor), count, factor);
    assertItems(https.get("/json/" + count + "?m=" + factor), count, factor);
  }

  @Test
  void jsonWithoutFactorHasTheProduct() throws Exception {
    assertItems(http.get("/json/50"), 50, 1);
  }

  private static void assertItems(HttpResponse<byte[]> response, int count, int factor)
      throws Exception {
    assertEquals("application/json", type(response));
    Map<?, ?> body = ArenaClient.json(response);
    assertEquals(count, body.get("count"));
    List<?> items = (List<?>) body.get("items");
    assertEquals(count, items.size());
    int id = 1;
    for (Object value : items) {
      Map<?, ?> item = (Map<?, ?>) value;
      assertEquals(id++, item.get("id"));
      assertEquals(List.of("new", "fast"), item.get("tags"));
      int product = (int) item.get("price") * (int) item.get("quantity");
      assertEquals(product * factor, ((Number) item.get("total")).intValue());
    }
  }

  @ParameterizedTest
  @CsvSource({"25, 3", "40, 7", "50, 2"})
  void jsonIsCompressedForClientsThatAcceptIt(int count, int factor) throws Exception {
    String target = "/json/" + count + "?m=" + factor;
    HttpResponse<byte[]> small = http.get(target, "Accept-Encoding", "gzip, br");
    assertEquals("gzip", small.headers().firstValue("Content-Encoding").orElse(""));
    assertItems(small, count, factor);
    assertTrue(http.get(target).headers().firstValue("Content-Encoding").isEmpty());
  }

  @Test
  void uploadsAreCounted() throws Exception {
    for (int size : new int[] {17, 48, 500 << 10, 2 << 20, 10 << 20, 20 << 20}) {
      byte[] body = new byte[size];
      RANDOM.nextBytes(body);
      String counted =
          http.post("/upload", BodyPublishers.ofByteArray(body), "application/octet-stream");
      assertEquals(Integer.toString(size), counted);
    }
  }

  @Test
  void chunkedUploadsAreCounted() throws Exception {
    byte[] body = new byte[300_000];
    String counted =
        http.post(
            "/upload",
            BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)),
            "application/octet-stream");
    assertEquals("300000", counted);
  }

  @Test
  void filesAreServedWithTheirTypes() throws Exception {
    for (ArenaClient client : List.of(http, http2)) {
      assertEquals("text/css", type(client.get("/static/reset.css")));
      assertEquals("text/javascript", type(client.get("/static/app.js")));
      assertEquals("application/json", type(client.get("/static/manifest.json")));
      assertEquals(404, client.get("/static/nonexistent.txt").statusCode());
    }
  }

  @Test
  void filesAreWholeWithAndWithoutCompression() throws Exception {
    for (ArenaClient client : List.of(http, http2)) {
      for (String file : ArenaData.FILES) {
        String target = "/static/" + ArenaData.name(file);
        HttpResponse<byte[]> plain = client.get(target);
        assertTrue(plain.headers().firstValue("Content-Encoding").isEmpty());
        assertEquals(ArenaData.size(file), plain.body().length);
        HttpResponse<byte[]> packed = client.get(target, "Accept-Encoding", BOTH);
        assertArrayEquals(plain.body(), ArenaClient.decoded(packed));
        boolean text = Files.exists(folder.resolve("static/" + ArenaData.name(file) + ".gz"));
        assertEquals(text, packed.headers().firstValue("Content-Encoding").isPresent(), file);
      }
    }
  }

  @Test
  void baselineOverHttp2AddsTheParameters() throws Exception {
    assertEquals("2", http2.text("/baseline2?a=1&b=1"));
    int a = random();
    HttpResponse<byte[]> response = http2.get("/baseline2?a=" + a + "&b=42");
    assertEquals(Integer.toString(a + 42), new String(response.body(), UTF_8));
    assertEquals("text/plain", type(response));
  }

  @Test
  void thePortForHttp2InClearTextRefusesHttp1() throws Exception {
    try (RawSocket socket = new RawSocket(servers.get(3))) {
      socket.send("GET /baseline2?a=1&b=1 HTTP/1.1\r\nHost: localhost\r\n\r\n");
      String head = socket.readTo("\r\n\r\n");
      assertTrue(head.startsWith("HTTP/1.1 505 "), head);
    }
  }

  @Test
  void queriesFindNothingWithoutADatabase() throws Exception {
    HttpResponse<byte[]> response = http.get("/async-db?min=10&max=50&limit=50");
    assertEquals("application/json", type(response));
    assertEquals("{\"items\":[],\"count\":0}", new String(response.body(), UTF_8));
  }
}

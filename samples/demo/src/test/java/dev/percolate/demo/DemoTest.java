package dev.percolate.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the whole process: start, shutdown, and restart. */
final class DemoTest {

  private static final char[] KEY = "guest-book".toCharArray();

  @TempDir private Path folder;

  @Test
  void entriesAndLogLinesSurviveARestart() throws Exception {
    String entry = "{\"name\":\"Ann\",\"message\":\"Will this be kept?\"}";
    Call post = Call.post("/api/entries").header("Content-Type", "application/json").body(entry);
    try (Running first = new Running(folder)) {
      assertEquals(201, post.to(first.uri).status());
      String output = first.end(143);
      assertTrue(output.contains("POST /api/entries"), output);
      assertFalse(output.contains("Exception"), output);
      assertFalse(output.contains("WARN"), output);
    }
    assertEquals(1, lines().size(), lines().toString());
    try (Running second = new Running(folder)) {
      Reply found = Call.get("/api/entries/1").to(second.uri);
      assertEquals(200, found.status());
      assertTrue(found.text().contains("Will this be kept?"), found.text());
      assertTrue(Call.get("/").to(second.uri).text().contains("Will this be kept?"));
      second.end(143);
    }
    List<String> lines = lines();
    assertEquals(3, lines.size(), lines.toString());
    assertTrue(lines.get(0).contains("\"POST /api/entries HTTP/1.1\" 201 "), lines.get(0));
    assertTrue(lines.get(1).contains("\"GET /api/entries/1 HTTP/1.1\" 200 "), lines.get(1));
    assertTrue(lines.get(2).contains("\"GET / HTTP/1.1\" 200 "), lines.get(2));
  }

  @Test
  void theFirstLineHasAddressThreadsAndPassword() throws Exception {
    try (Running demo = new Running(folder)) {
      String line = demo.greeting;
      assertTrue(line.startsWith("Listening at http://"), line);
      assertTrue(line.contains(", threads: "), line);
      String password = line.substring(line.lastIndexOf(' ') + 1);
      Call call = Call.get("/admin").header("Authorization", OpenBook.basic("admin", password));
      assertEquals(200, call.to(demo.uri).status());
      demo.end(143);
    }
  }

  @Test
  void browsersGetHttp2OverTls() throws Exception {
    try (Running demo = new Running(folder)) {
      KeyStore made = KeyStore.getInstance(folder.resolve("certificate.p12").toFile(), KEY);
      TrustManagerFactory trusted =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      KeyStore certificates = KeyStore.getInstance("PKCS12");
      certificates.load(null, null);
      certificates.setCertificateEntry("own", made.getCertificate("mykey"));
      trusted.init(certificates);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trusted.getTrustManagers(), null);
      HttpClient client = HttpClient.newBuilder().sslContext(context).build();
      URI page = URI.create("https://localhost:" + demo.uri("https").getPort());
      HttpResponse<String> response =
          client.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
      assertEquals(HttpClient.Version.HTTP_2, response.version());
      assertEquals(200, response.statusCode());
      demo.end(143);
    }
  }

  @Test
  void invalidVariablesAreNamed() throws Exception {
    ProcessBuilder builder = builder(folder);
    builder.environment().put("PORT", "eighty");
    Process process = builder.start();
    String output = read(process);
    assertEquals(1, process.waitFor(), output);
    assertTrue(output.contains("PORT must be a number from 0 to 65535, was eighty"), output);
  }

  @Test
  void noServerRemainsIfOneCannotStart() throws Exception {
    Files.writeString(folder.resolve("certificate.p12"), "invalid");
    int port = freePort();
    Map<String, String> variables =
        Map.of("PORT", "" + port, "HTTPS_PORT", "0", "DATA", folder.toString());
    Environment options = Environment.of(variables);
    assertThrows(IOException.class, () -> Demo.start(options));
    InetAddress local = InetAddress.getLoopbackAddress();
    assertThrows(ConnectException.class, () -> new Socket(local, port).close());
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  private List<String> lines() throws IOException {
    return Files.readAllLines(folder.resolve("access.log"));
  }

  private static ProcessBuilder builder(Path folder) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classes = System.getProperty("java.class.path");
    ProcessBuilder builder =
        new ProcessBuilder(
            java,
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classes,
            Demo.class.getName());
    builder
        .environment()
        .keySet()
        .removeAll(List.of("THREADS", "STORE_URL", "JDBC_URL", "ADMIN_PASSWORD"));
    builder.environment().putAll(Map.of("PORT", "0", "HTTPS_PORT", "0", "DATA", folder.toString()));
    return builder.redirectErrorStream(true);
  }

  private static String read(Process process) throws IOException {
    try (BufferedReader output = process.inputReader()) {
      return output.lines().collect(Collectors.joining("\n"));
    }
  }

  /** A process of the demo. */
  private static final class Running implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;
    private final String greeting;
    private final URI uri;

    Running(Path folder) throws IOException {
      process = builder(folder).start();
      output = process.inputReader();
      greeting = greeting();
      uri = uri("http");
    }

    URI uri(String scheme) {
      int start = greeting.indexOf(scheme + "://");
      return URI.create(greeting.substring(start, greeting.indexOf(',', start)));
    }

    /** Ends the process, and returns its output after the first line. */
    String end(int status) throws Exception {
      process.toHandle().destroy(); // unlike process.destroy(), leaves the output open
      String rest = output.lines().collect(Collectors.joining("\n"));
      assertEquals(status, process.waitFor(), rest);
      return rest;
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }

    private String greeting() throws IOException {
      StringBuilder before = new StringBuilder();
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.contains("http://")) {
          return line;
        }
        before.append(line).append('\n');
      }
      process.destroyForcibly();
      throw new AssertionError(before.toString());
    }
  }
}

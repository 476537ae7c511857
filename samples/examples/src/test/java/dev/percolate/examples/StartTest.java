package dev.percolate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.testkit.Call;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Starts the examples with their main methods. Their servers close when this JVM ends. */
final class StartTest {

  private static final Path SOURCES = Path.of("src/main/java/dev/percolate/examples");
  private static final String PASSWORD = "secret";

  @TempDir private Path folder;

  @BeforeAll
  static void chooseFreePorts() {
    System.setProperty("port", "0");
    System.setProperty("securePort", "0");
  }

  static List<String> names() throws Exception {
    try (Stream<Path> files = Files.list(SOURCES)) {
      Stream<String> single =
          files
              .filter(Files::isRegularFile)
              .map(file -> file.getFileName().toString().replace(".java", ""));
      return Stream.concat(single, Stream.of("conduit.Conduit", "database.Stock"))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void theSiteListsEachExample(String name) throws Exception {
    String page = Files.readString(Path.of("../../docs/site/pages/start/examples.md"));
    assertTrue(page.contains("| `" + name + "` |"));
  }

  @ParameterizedTest
  @MethodSource("names")
  void eachExampleStartsAndResponds(String name) throws Exception {
    List<URI> servers = start(name);
    assertFalse(servers.isEmpty());
    assertEquals(404, Call.get("/no/such/page").to(servers.get(0)).status());
  }

  @Test
  void oneApplicationServesHttpAndHttps() throws Exception {
    List<URI> servers = start("HttpAndHttps");
    assertEquals("This is plain text.", Call.get("/").to(servers.get(0)).text());
    HttpClient client = HttpClient.newBuilder().sslContext(trusting(keyStore())).build();
    HttpRequest request = HttpRequest.newBuilder(servers.get(1)).build();
    String text = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    assertEquals("This connection is encrypted.", text);
  }

  /** Runs the main method and returns the addresses that it prints. */
  private List<URI> start(String name) throws Exception {
    String[] args = {};
    if (name.equals("HttpAndHttps")) {
      args = new String[] {keyStore().toString(), PASSWORD};
    }
    Method main =
        Class.forName("dev.percolate.examples." + name).getDeclaredMethod("main", String[].class);
    main.setAccessible(true);
    PrintStream console = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      main.invoke(null, (Object) args);
    } finally {
      System.setOut(console);
    }
    return printed
        .toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith("Listening at "))
        .map(line -> URI.create(line.substring("Listening at ".length())))
        .toList();
  }

  /** Creates a certificate for localhost with keytool, once. */
  private Path keyStore() throws Exception {
    Path file = folder.resolve("server.p12");
    if (!Files.exists(file)) {
      String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
      String key =
          "-genkeypair -alias server -keyalg EC -dname CN=localhost -ext san=dns:localhost";
      ProcessBuilder builder = new ProcessBuilder(keytool);
      builder.command().addAll(List.of(key.split(" ")));
      builder.command().addAll(List.of("-keystore", file.toString(), "-storepass", PASSWORD));
      Process process = builder.redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, process.waitFor(), output);
    }
    return file;
  }

  private static SSLContext trusting(Path file) throws Exception {
    KeyStore keys = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", keys.getCertificate("server"));
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }
}

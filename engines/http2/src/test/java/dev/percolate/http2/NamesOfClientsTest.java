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
import dev.percolate.http.JsonText;
import dev.percolate.http.Percent;
import dev.percolate.nio.NioEngine;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients follow a redirect to any name (RFC 9110 section 10.2.2), and download a file of any name
 * (RFC 6266): those of the JDK, and curl, Node and Python, where these are on the {@code PATH}.
 */
@Timeout(120)
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
final class NamesOfClientsTest {

  private static final Pattern ENCODED = Pattern.compile("filename\\*=UTF-8''([^;]*)");
  private static final Pattern PLAIN = Pattern.compile("filename=\"([^\"]*)\"");
  private static final List<String> NAMES = names();

  @TempDir private static Path folder;
  private static TestCertificate certificate;
  private static Server secure;
  private static Server plain;

  private static List<String> names() {
    List<String> names =
        new ArrayList<>(
            List.of(
                "caf\u00e9",
                "\u00dcberblick.pdf",
                "na\u00efve \u20ac.txt",
                "\u65e5\u672c\u8a9e",
                "\ud83d\ude00\ud83d\udc69\u200d\ud83d\udcbb",
                "e\u0301",
                "\u00c3\u00a9",
                "\u0130\ufb01\u00df",
                "\u0645\u0631\u062d\u0628\u0627",
                "a b",
                "100%",
                "%41",
                "<b>'{|}^`",
                "[x]",
                "a&b=c;d+e",
                "plain.txt"));
    Random random = new Random(49);
    for (int i = 0; i < 8; i++) {
      StringBuilder name = new StringBuilder();
      while (name.length() < 12) {
        int c = random.nextInt(Character.MAX_CODE_POINT + 1);
        if (Character.isLetterOrDigit(c)) {
          name.appendCodePoint(c);
        }
      }
      names.add(name.toString());
    }
    return names;
  }

  @BeforeAll
  static void serve() throws Exception {
    Files.writeString(folder.resolve("file"), "content");
    Files.writeString(folder.resolve("names.json"), JsonText.of(NAMES));
    certificate = TestCertificate.make(folder);
    secure = listen(options().tls(certificate.tls()));
    plain = listen(options());
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
    return new NioEngine()
        .listen(Chain.service(new Settings(), NamesOfClientsTest::route), options);
  }

  private static void route(Request req, Response res, Next next) {
    String path = req.path();
    String last = path.substring(path.lastIndexOf('/') + 1);
    if (path.startsWith("/go/")) {
      String name = NAMES.get(Integer.parseInt(last));
      res.redirect("/name/" + (name.startsWith("%") ? Percent.encodeComponent(name) : name));
    } else if (path.startsWith("/download/")) {
      res.download(folder.resolve("file"), NAMES.get(Integer.parseInt(last)));
    } else {
      res.type("text").end(String.valueOf(Percent.decode(last)));
    }
  }

  private static String run(String program, String script) throws Exception {
    Path copy = folder.resolve(script);
    try (InputStream in = NamesOfClientsTest.class.getResourceAsStream("/clients/" + script)) {
      Files.write(copy, Objects.requireNonNull(in).readAllBytes());
    }
    String names = folder.resolve("names.json").toString();
    return ClientProgram.run(program, copy.toString(), origin(plain), names).strip();
  }

  private static String origin(Server server) {
    return (server == secure ? "https" : "http") + "://localhost:" + server.port();
  }

  @Test
  void node() throws Exception {
    assertEquals("ok", run("node", "names.cjs"));
  }

  @Test
  void python() throws Exception {
    assertEquals("ok", run("python3", "names.py"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--http1.1", "--http2"})
  void curl(String version) throws Exception {
    String trusted = certificate.pemFile().toString();
    for (int i = 0; i < NAMES.size(); i++) {
      String text =
          ClientProgram.run(
              "curl", "-sSL", version, "--cacert", trusted, origin(secure) + "/go/" + i);
      assertEquals(NAMES.get(i), text);
      Path saved = Files.createTempDirectory(folder, "saved");
      String url = origin(secure) + "/download/" + i;
      String said = ClientProgram.run(saved, "curl", "-sSOJ", version, "--cacert", trusted, url);
      assertEquals("", said, NAMES.get(i));
      try (Stream<Path> files = Files.list(saved)) {
        List<Path> all = files.toList();
        assertEquals(1, all.size(), all::toString);
        assertEquals("content", Files.readString(all.get(0)));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void theClientOfTheJdk(HttpClient.Version version) throws Exception {
    HttpClient client =
        HttpClient.newBuilder()
            .sslContext(TestCertificate.trusting(certificate))
            .version(version)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();
    for (int i = 0; i < NAMES.size(); i++) {
      HttpResponse<String> page = ask(client, "/go/" + i);
      assertEquals(version, page.version());
      assertEquals(NAMES.get(i), page.body());
      HttpResponse<String> download = ask(client, "/download/" + i);
      assertEquals("content", download.body());
      String header = download.headers().firstValue("Content-Disposition").orElseThrow();
      assertEquals(NAMES.get(i), savedAs(header));
    }
  }

  private static HttpResponse<String> ask(HttpClient client, String path) throws Exception {
    URI uri = URI.create(origin(secure) + path);
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  @Test
  void theOlderClientOfTheJdk() throws Exception {
    for (int i = 0; i < NAMES.size(); i++) {
      URI uri = URI.create(origin(plain) + "/go/" + i);
      HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
      try (InputStream in = connection.getInputStream()) {
        assertEquals(NAMES.get(i), new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
  }

  private static String savedAs(String header) {
    Matcher encoded = ENCODED.matcher(header);
    if (encoded.find()) {
      return String.valueOf(Percent.decode(encoded.group(1)));
    }
    Matcher name = PLAIN.matcher(header);
    assertTrue(name.find(), header);
    return name.group(1);
  }
}

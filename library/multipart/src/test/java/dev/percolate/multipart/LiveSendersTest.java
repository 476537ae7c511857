package dev.percolate.multipart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import okhttp3.MediaType;
import okhttp3.MultipartBody;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.entity.mime.MultipartEntityBuilder;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.http.entity.ContentType;
import org.apache.http.entity.mime.HttpMultipartMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Forms of clients from Maven Central and npm, over sockets. */
@Timeout(300)
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
final class LiveSendersTest {

  private static final Path SENDERS = Path.of("senders/npm");

  @TempDir private static Path folder;
  private static SentForms server;
  private static SentForms latin1;

  @BeforeAll
  static void listen() throws IOException {
    server = new SentForms(Multipart.files());
    latin1 = new SentForms(Multipart.files().defaultCharset("iso-8859-1"));
  }

  @AfterAll
  static void close() {
    server.close();
    latin1.close();
  }

  private static String meant() {
    return SentForms.read(SentForms.FILE, SentForms.TYPE);
  }

  /** Its text is in ISO-8859-1 by default; mode STRICT writes names in ASCII. */
  @ParameterizedTest
  @CsvSource({"STRICT,Gr??e.bin", "RFC6532,Gr\u00fc\u00dfe.bin"})
  void apacheHttpClient4(HttpMultipartMode mode, String name) throws IOException {
    assertEquals(SentForms.read(name, SentForms.TYPE), byHttpClient4(server, mode));
  }

  @Test
  void apacheHttpClient4WithoutCharsets() throws IOException {
    assertEquals(
        SentForms.read("Gr??e.bin", SentForms.TYPE),
        byHttpClient4(latin1, HttpMultipartMode.BROWSER_COMPATIBLE));
  }

  private static String byHttpClient4(SentForms to, HttpMultipartMode mode) throws IOException {
    org.apache.http.client.methods.HttpPost post =
        new org.apache.http.client.methods.HttpPost(to.url());
    post.setEntity(
        org.apache.http.entity.mime.MultipartEntityBuilder.create()
            .setMode(mode)
            .addTextBody("name", SentForms.TEXT)
            .addBinaryBody(
                "photo", SentForms.CONTENT, ContentType.APPLICATION_OCTET_STREAM, SentForms.FILE)
            .build());
    try (org.apache.http.impl.client.CloseableHttpClient client =
        org.apache.http.impl.client.HttpClients.createDefault()) {
      return client.execute(
          post,
          response ->
              org.apache.http.util.EntityUtils.toString(
                  response.getEntity(), StandardCharsets.UTF_8));
    }
  }

  /** Mode STRICT sends ISO-8859-1; EXTENDED percent-encodes names, without declaring it. */
  @ParameterizedTest
  @CsvSource({"STRICT,Gr\u00fc\u00dfe.bin", "EXTENDED,Gr%C3%BC%C3%9Fe.bin"})
  void apacheHttpClient5(org.apache.hc.client5.http.entity.mime.HttpMultipartMode mode, String name)
      throws IOException {
    HttpPost post = new HttpPost(latin1.url());
    post.setEntity(
        MultipartEntityBuilder.create()
            .setMode(mode)
            .addTextBody("name", SentForms.TEXT)
            .addBinaryBody(
                "photo",
                SentForms.CONTENT,
                org.apache.hc.core5.http.ContentType.APPLICATION_OCTET_STREAM,
                SentForms.FILE)
            .build());
    try (CloseableHttpClient client = HttpClients.createDefault()) {
      String seen =
          client.execute(
              post, response -> EntityUtils.toString(response.getEntity(), StandardCharsets.UTF_8));
      assertEquals(SentForms.read(name, SentForms.TYPE), seen);
    }
  }

  @Test
  void okHttp() throws IOException {
    RequestBody photo = RequestBody.create(SentForms.CONTENT, MediaType.get(SentForms.TYPE));
    MultipartBody form =
        new MultipartBody.Builder()
            .setType(MultipartBody.FORM)
            .addFormDataPart("name", SentForms.TEXT)
            .addFormDataPart("photo", SentForms.FILE, photo)
            .build();
    Request request = new Request.Builder().url(server.url()).post(form).build();
    try (Response response = new OkHttpClient().newCall(request).execute()) {
      assertEquals(meant(), response.body().string());
    }
  }

  /** Common sample code for Android. */
  @Test
  void httpUrlConnection() throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create(server.url()).toURL().openConnection();
    connection.setDoOutput(true);
    connection.setRequestProperty("Content-Type", "multipart/form-data;boundary=*****");
    try (OutputStream out = connection.getOutputStream()) {
      String disposition = "--*****\r\nContent-Disposition: form-data; name=\"";
      write(out, disposition + "name\"\r\n\r\n" + SentForms.TEXT + "\r\n");
      write(out, disposition + "photo\";filename=\"" + SentForms.FILE + "\"\r\n\r\n");
      out.write(SentForms.CONTENT);
      write(out, "\r\n--*****--\r\n");
    }
    String seen = new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(SentForms.read(SentForms.FILE, "null"), seen);
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"node-fetch", "node-undici", "node-axios", "node-form-data", "node-superagent"})
  void clientsOfNode(String sender) throws Exception {
    assertEquals(meant(), byNode(sender));
  }

  @Test
  void bufferWithoutANameByNode() throws Exception {
    assertEquals(SentForms.read("file", SentForms.TYPE), byNode("node-form-data-buffer"));
  }

  private static String byNode(String sender) throws Exception {
    assumeTrue(isOnPath("node") && isOnPath("npm"), "Node is not on the PATH");
    install();
    Path file = folder.resolve(SentForms.FILE);
    Files.write(file, SentForms.CONTENT);
    return run(List.of("node", "senders.mjs", sender, server.url(), file.toString()));
  }

  private static void install() throws Exception {
    if (!Files.isDirectory(SENDERS.resolve("node_modules"))) {
      String ignored = run(List.of("npm", "ci", "--no-audit", "--no-fund", "--silent"));
    }
  }

  private static String run(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).directory(SENDERS.toFile()).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(true, process.waitFor(120, TimeUnit.SECONDS));
    assertEquals(0, process.exitValue(), errors);
    return said;
  }

  private static boolean isOnPath(String program) {
    String path = String.valueOf(System.getenv("PATH"));
    return Stream.of(path.split(File.pathSeparator, -1))
        .anyMatch(one -> Files.isExecutable(Path.of(one, program)));
  }
}

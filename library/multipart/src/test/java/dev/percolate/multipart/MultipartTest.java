package dev.percolate.multipart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.ChunkReader;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Lint;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestConnection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MultipartTest {

  private static final String TYPE = "multipart/form-data; boundary=X";

  /** Checks all handlers and exchanges of a test. */
  private final Lint lint = new Lint();

  @TempDir private Path folder;

  @AfterEach
  void theContractIsKept() {
    lint.check();
  }

  @Test
  void fieldsAndFilesAreReadHoweverTheBodyIsSplit() {
    String body =
        String.join(
            "\r\n",
            "ignored",
            "--X",
            "Content-Disposition: form-data; name=\"a\"",
            "",
            "1",
            "--X ",
            "content-disposition: form-data; name=\"f\"; filename=\"../b.txt\"",
            "Content-Type: text/plain",
            "",
            "",
            "--",
            "-X",
            "--",
            "--X",
            "Content-Disposition: form-data; name=\"e\u00e9\"",
            "",
            "\u00e9 &=",
            "--X--",
            "ignored");
    String expected = "200 {a=1, e\u00e9=\u00e9 &=} f:b.txt:text/plain:[\r\n--\r\n-X\r\n--]";
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    for (int size : new int[] {1, 2, 3, 5, 7, 11, 13, 64, bytes.length}) {
      assertEquals(expected, play(files(), bytes, size), () -> "pieces of " + size);
    }
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-", "--", "--Y", "\r", "\n", "\r\n", "--\r\n", "\r\r\n", "\n--", "--X"})
  void contentThatLooksLikeABoundaryIsContent(String start) {
    String content = start.equals("--X") ? " --X" : start + "z";
    byte[] body = utf8(file("f", "b", content) + "--X--");
    for (int size = 1; size <= body.length; size++) {
      int piece = size;
      assertEquals(
          "200 {} f:b:null:[" + content + "]", play(files(), body, size), () -> "by " + piece);
    }
  }

  @Test
  void fieldsAreReadAsAPlainFormReadsThem() {
    String body =
        field("a[b]", "1") + field("a[c][]", "2") + field("d", "x") + field("d", "+%20") + "--X--";
    assertEquals("200 {a[b]=1, a[c][]=2, d=[x, +%20]}", play(files(), body));
    assertEquals("200 {a={b=1, c=[2]}, d=[x, +%20]}", play(files().extended(true), body));
    assertEquals("200 {}", play(files(), "--X--\r\n"));
  }

  @Test
  void aFileFieldWithoutAChosenFileIsOmitted() {
    assertEquals("200 {}", play(files(), file("f", "", "") + "--X--"));
    assertEquals("200 {} f:file:null:[x]", play(files(), file("f", "..", "x") + "--X--"));
  }

  @Test
  void otherRequestsArePassedOnUnread() {
    for (String type :
        List.of("multipart/mixed; boundary=X", "text/plain", "multipart/form-datax")) {
      Reply reply = Call.post("/").header("Content-Type", type).body("x").to(service(files()));
      assertEquals("null", reply.text());
    }
    assertEquals("null", Call.get("/").header("Content-Type", TYPE).to(service(files())).text());
    Reply twice =
        Call.post("/")
            .header("Content-Type", TYPE)
            .body(field("a", "1") + "--X--")
            .to(service(Multipart.stream((req, part) -> new Collecting()), files()));
    assertEquals("{a=1}", twice.text());
  }

  @Test
  void temporaryFilesAreDeletedAfterTheResponse() throws IOException {
    List<Path> seen = new ArrayList<>();
    Path kept = folder.resolve("kept");
    Middleware look =
        (req, res, next) -> {
          for (Upload upload : req.attr(Multipart.FILES)) {
            seen.add(upload.path());
            assertEquals(upload.size(), Files.size(upload.path()));
            assertEquals(
                "rw-------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(upload.path())));
          }
          Files.move(seen.get(0), kept, StandardCopyOption.REPLACE_EXISTING);
          throw new IllegalStateException("a step that fails");
        };
    String body = file("f", "a", "12") + file("f", "b", "345") + "--X--";
    Reply reply = Call.post("/").header("Content-Type", TYPE).body(body).to(service(files(), look));
    assertEquals(500, reply.status());
    assertEquals(2, seen.size());
    assertEquals("12", Files.readString(kept));
    Files.delete(kept);
    assertNothingIsLeft();
  }

  @Test
  void temporaryFilesAreDeletedWhenTheClientGoesAway() throws Exception {
    CompletableFuture<Throwable> failed = new CompletableFuture<>();
    ErrorHandler errors = (error, req, res, next) -> failed.complete(error);
    Service service = watched(List.of(files(), errors));
    try (MemoryEngine engine = new MemoryEngine();
        TestConnection connection =
            Call.post("/").header("Content-Type", TYPE).chunked().open(engine.client(service))) {
      connection.send(file("f", "b", "x".repeat(1000)).substring(0, 500));
      while (count() == 0) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      connection.disconnect();
      HttpError error = (HttpError) failed.get(10, TimeUnit.SECONDS);
      assertEquals("request.aborted", error.type());
      assertEquals(500L, error.field("received"));
    }
    assertNothingIsLeft();
  }

  @Test
  void filesAreStreamedInChunks() {
    List<Collecting> taken = new ArrayList<>();
    Multipart stream =
        Multipart.stream(
            (req, part) -> {
              taken.add(new Collecting(part));
              return taken.get(taken.size() - 1);
            });
    String body = file("f", "a", "12345") + field("x", "y") + file("g", "b", "") + "--X--";
    assertEquals("200 {x=y}", play(stream, utf8(body), 1));
    assertEquals(
        "[FilePart[field=f, name=a, type=null] 12345 null, FilePart[field=g, name=b, type=null] "
            + " null]",
        taken.toString());
  }

  @Test
  void theRestOfAnUnwantedFileIsSkipped() {
    Collecting taken = new Collecting();
    taken.most = 3;
    String body = file("f", "a", "12345") + field("x", "y") + "--X--";
    assertEquals("200 {x=y}", play(Multipart.stream((req, part) -> taken), utf8(body), 1));
    assertEquals("null 123 null", taken.toString());
  }

  @Test
  void theHandlerReceivesErrors() {
    Collecting taken = new Collecting();
    Multipart stream = Multipart.stream((req, part) -> taken);
    play(stream.maxFileSize("3"), utf8(file("f", "a", "12345") + "--X--"), 1);
    assertEquals("null 123 dev.percolate.http.HttpError: file too large", taken.toString());
    Multipart rejecting =
        Multipart.stream(
            (req, part) -> {
              throw new HttpError(403, "no files", "files.none", null);
            });
    assertEquals("403 files.none", play(rejecting, file("f", "a", "1") + "--X--"));
  }

  @Test
  void aFullDiskIsAnErrorOfTheServer() {
    Multipart full =
        Multipart.stream(
            (req, part) -> {
              throw new IOException("No space left on device");
            });
    assertTrue(play(full, file("f", "a", "1") + "--X--").startsWith("500 "));
  }

  @ParameterizedTest
  @CsvSource({
    "limit,99,413 entity.too.large",
    "fileLimit,4,413 file.too.large",
    "fieldLimit,4,413 fields.too.large",
    "maxParts,2,413 parts.too.many",
    "maxFiles,1,413 files.too.many",
    "headerLimit,50,413 headers.too.large",
    "nameLimit,4,413 name.too.long"
  })
  void limitsHold(String option, int value, String failure) {
    String body = file("f", "name5", "12345") + file("g", "b", "") + field("ab", "345") + "--X--";
    for (int size : new int[] {1, 10_000}) {
      assertEquals(failure, play(limited(option, value), utf8(body), size));
    }
    assertTrue(play(limited(option, value + 1000), body).startsWith("200 "));
    assertNothingIsLeft();
  }

  @Test
  void formsAtTheLimitsAreAccepted() {
    String body = file("f", "name5", "12345") + field("ab", "345") + "--X--";
    Multipart exact =
        files()
            .limit("" + body.length())
            .maxFileSize("5")
            .maxFieldsSize("5")
            .maxParts(2)
            .maxFiles(1)
            .maxNameLength(5);
    assertEquals("200 {ab=345} f:name5:null:[12345]", play(exact, body));
    assertEquals("413 entity.too.large", play(exact.limit("" + (body.length() - 1)), body));
  }

  @Test
  void announcedLengthBeyondTheLimitIsRejectedUnread() {
    Call call = Call.post("/").header("Content-Type", TYPE).header("Content-Length", "11000000");
    try (MemoryEngine engine = new MemoryEngine();
        TestConnection connection = call.open(engine.client(service(files())))) {
      assertEquals(413, connection.reply().status());
      assertEquals(0, connection.accepted());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=\"a\u0001b\"",
        "multipart/form-data; boundary=\"a \"",
        "multipart/form-data; boundary=\"a\t\""
      })
  void invalidBoundariesAreRejected(String type) {
    Reply reply = Call.post("/").header("Content-Type", type).body("--a--").to(service(files()));
    assertEquals("400 multipart.malformed", reply.status() + " " + reply.text());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "--X",
        "--X\r\n",
        "--Y--",
        "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1",
        "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--X",
        "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--X-",
        "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--Xx\r\n--X--",
        "--X\r\n\r\n1\r\n--X--",
        "--X\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\n1\r\n--X--",
        "--X\r\nContent-Disposition: form-data; filename=\"a\"\r\n\r\n1\r\n--X--",
        "--X\r\n: x\r\n\r\n1\r\n--X--",
        "--X\r\n folded\r\n\r\n1\r\n--X--",
        "--X\r\nContent-Disposition\r\n\r\n1\r\n--X--",
        "--X\r\nA\u0000: b\r\n\r\n1\r\n--X--",
        "--X\r\nContent-Disposition: form-data; name=\"a\u0000\"\r\n\r\n1\r\n--X--"
      })
  void malformedBodiesAreRejected(String body) {
    for (int size : new int[] {1, 10_000}) {
      assertEquals("400 multipart.malformed", play(files(), utf8(body), size), body);
    }
    assertNothingIsLeft();
  }

  @Test
  void tenThousandPartsAreTooMany() {
    assertEquals("413 parts.too.many", play(files(), field("a", "1").repeat(10_000) + "--X--"));
    String empty = file("f", "b", "").repeat(10_000) + "--X--";
    assertEquals("413 files.too.many", play(files(), empty));
    assertNothingIsLeft();
  }

  @Test
  void endlessHeadersAreRejected() {
    String many = "--X\r\n" + "A: b\r\n".repeat(100_000);
    assertEquals("413 headers.too.large", play(files(), many));
    assertEquals("413 headers.too.large", play(files(), "--X\r\nA: " + "b".repeat(100_000)));
    assertEquals("413 headers.too.large", play(files(), "--X\r\n" + "b".repeat(100_000)));
  }

  @Test
  void emptyBodyIsAFormWithoutFields() {
    assertEquals("200 {}", play(files(), ""));
    Call call = Call.post("/").header("Content-Type", "multipart/form-data");
    Reply reply = call.header("Content-Length", "0").to(service(files()));
    assertEquals("200 {}", reply.status() + " " + reply.text());
  }

  @Test
  void optionsAreCheckedWhenSetAndGiveChangedCopies() {
    Multipart files = Multipart.files();
    assertNotSame(files, files.limit("1mb"));
    assertEquals(
        "limit must be a size such as \"100kb\", was \"lots\"",
        rejection(() -> assertNotSame(null, files.limit("lots"))));
    assertEquals(
        "maxFileSize must be a size such as \"100kb\", was \"-1\"",
        rejection(() -> assertNotSame(null, files.maxFileSize("-1"))));
    assertEquals(
        "maxFieldsSize must be a size such as \"100kb\", was \"10 bananas\"",
        rejection(() -> assertNotSame(null, files.maxFieldsSize("10 bananas"))));
    assertEquals(
        "maxParts must be at least 1, was 0",
        rejection(() -> assertNotSame(null, files.maxParts(0))));
  }

  private static String rejection(Executable option) {
    return String.valueOf(assertThrows(IllegalArgumentException.class, option).getMessage());
  }

  private Multipart files() {
    return Multipart.files().directory(folder);
  }

  private Multipart limited(String option, int value) {
    return switch (option) {
      case "limit" -> files().limit("" + value);
      case "fileLimit" -> files().maxFileSize("" + value);
      case "fieldLimit" -> files().maxFieldsSize("" + value);
      case "maxParts" -> files().maxParts(value);
      case "maxFiles" -> files().maxFiles(value);
      case "headerLimit" -> files().maxHeaderBytes(value);
      default -> files().maxNameLength(value);
    };
  }

  private String play(Multipart multipart, String body) {
    return play(multipart, utf8(body), 10_000_000);
  }

  private String play(Multipart multipart, byte[] body, int size) {
    try (MemoryEngine engine = new MemoryEngine();
        TestConnection connection =
            Call.post("/")
                .header("Content-Type", TYPE)
                .chunked()
                .open(engine.client(service(multipart)))) {
      for (int at = 0; at < body.length; at += size) {
        byte[] piece = new byte[Math.min(size, body.length - at)];
        System.arraycopy(body, at, piece, 0, piece.length);
        connection.send(piece);
      }
      Reply reply = connection.finish().reply();
      return reply.status() + " " + reply.text();
    }
  }

  /** Responds with the body and the files, or with the error type. */
  private Service service(Middleware... steps) {
    List<Middleware> all = new ArrayList<>(List.of(steps));
    all.add(
        (req, res, next) -> {
          StringBuilder text = new StringBuilder().append(req.body());
          List<Upload> files = req.attrOrNull(Multipart.FILES);
          for (Upload file : files == null ? List.<Upload>of() : files) {
            String content = Files.readString(file.path());
            text.append(' ').append(file.field()).append(':').append(file.name());
            text.append(':').append(file.type()).append(":[").append(content).append(']');
          }
          res.send(text.toString());
        });
    ErrorHandler errors =
        (error, req, res, next) -> {
          if (error instanceof HttpError known) {
            res.status(known.status()).send(String.valueOf(known.type()));
          } else {
            next.fail(error);
          }
        };
    all.add(errors);
    return watched(all);
  }

  private Service watched(List<Middleware> steps) {
    Middleware[] watched = steps.stream().map(lint::around).toArray(Middleware[]::new);
    return lint.service(Chain.service(new Settings().set("env", "test"), watched));
  }

  private static String field(String name, String value) {
    return "--X\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
  }

  private static String file(String field, String name, String content) {
    return "--X\r\nContent-Disposition: form-data; name=\""
        + field
        + "\"; filename=\""
        + name
        + "\"\r\n\r\n"
        + content
        + "\r\n";
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the number of uploads, without the lock file of the process. */
  private long count() {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> !file.toString().endsWith(".lock")).count();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits briefly, since hooks run after the response. */
  private void assertNothingIsLeft() {
    for (int i = 0; i < 1000 && count() > 0; i++) {
      try {
        TimeUnit.MILLISECONDS.sleep(10);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    assertFalse(count() > 0);
  }

  /** Reads one file. */
  private static final class Collecting implements ChunkReader {

    private final @Nullable FilePart part;
    private final StringBuilder bytes = new StringBuilder();
    private int most = Integer.MAX_VALUE;
    private @Nullable String end;

    Collecting() {
      this(null);
    }

    Collecting(@Nullable FilePart part) {
      this.part = part;
    }

    @Override
    public boolean chunk(ByteBuffer piece) {
      bytes.append(StandardCharsets.UTF_8.decode(piece));
      return bytes.length() < most;
    }

    @Override
    public void done(@Nullable Throwable failure) {
      assertEquals(null, end);
      end = String.valueOf(failure);
    }

    @Override
    public String toString() {
      return part + " " + bytes + " " + end;
    }
  }
}

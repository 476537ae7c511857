package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.http.HttpError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SendFileTest {

  @TempDir private Path folder;
  private FileOptions rooted = FileOptions.none();
  private final Recorder next = new Recorder();

  @BeforeEach
  void fill() throws Exception {
    Path root = Files.createDirectories(folder.resolve("pub"));
    rooted = rooted.root(root);
    Files.writeString(folder.resolve("secret.txt"), "secret");
    Files.writeString(root.resolve("todo.txt"), "groceries");
    Files.writeString(root.resolve("zero.txt"), "");
    Files.writeString(root.resolve("foo bar"), "baz");
    Files.createDirectories(root.resolve("users"));
    Files.writeString(root.resolve("users").resolve("index.html"), "tobi");
  }

  @ParameterizedTest
  @CsvSource({
    "todo.txt,200 groceries",
    "/todo.txt,200 groceries",
    "users/../todo.txt,200 groceries",
    "foo%20bar,200 baz",
    "foo bar,200 baz",
    "users/,200 tobi",
    "users,next",
    "users%2f,400 the path is ambiguous null",
    "users/a%2fb,404 Not Found ENOENT",
    "../secret.txt,403 Forbidden null",
    "%2e%2e%2fsecret.txt,400 the path is ambiguous null",
    "100%.txt,400 Bad Request null",
    "none.txt,404 Not Found ENOENT",
    "todo.txt/x,404 Not Found ENOTDIR",
    ".x,404 Not Found null"
  })
  void aPathFromOutsideIsSentOrPassedOn(String path, String outcome) {
    FakeExchange exchange = FakeExchange.of("POST", "/");
    exchange.response().sendFile(path, rooted, next);
    assertEquals(outcome, outcome(exchange));
  }

  @ParameterizedTest
  @CsvSource({
    "users%2f,next",
    "%2e%2e%2fsecret.txt,403 Forbidden null",
    "%74odo.txt,200 groceries",
    "users%2f..%2ftodo.txt,200 groceries",
    "users/.x/a,404 Not Found ENOENT",
    "users/.x,404 Not Found null"
  })
  void settingsAllowEscapedSlashesAndDottedFolders(String path, String outcome) {
    FakeExchange exchange = FakeExchange.of("GET", "/");
    exchange.setting("ambiguous targets", "pass").setting("dotted folders", true);
    exchange.response().sendFile(path, rooted, next);
    assertEquals(outcome, outcome(exchange));
  }

  @Test
  void aFileNamedLikeAnExtensionHasNone() throws Exception {
    Path file = Files.writeString(folder.resolve("html"), "<script>");
    FakeExchange exchange = FakeExchange.of("GET", "/");
    exchange.response().sendFile(file);
    assertEquals("application/octet-stream", exchange.header("Content-Type"));
  }

  @Test
  void aDirectoryIsPassedOnIfIndexFilesAreDisabled() {
    FakeExchange exchange = FakeExchange.of("GET", "/");
    exchange.response().sendFile("users/", rooted.index(), next);
    assertEquals("next", outcome(exchange));
  }

  @ParameterizedTest // STA-01 to STA-05
  @ValueSource(
      strings = {
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/users/../../secret.txt",
        "/%2e%2e%2fsecret.txt",
        "/%252e%252e/secret.txt",
        "/..%252fsecret.txt",
        "/..%25252fsecret.txt",
        "/..%5csecret.txt",
        "/..\\secret.txt",
        "/todo.txt%00.html",
        "/../pub-private/secret.txt",
        "/%c0%ae%c0%ae/secret.txt",
        "//../secret.txt",
        "/..;/secret.txt",
        "/./../secret.txt"
      })
  void noPathReachesAFileOutsideOfTheRoot(String path) throws Exception {
    Files.createDirectories(folder.resolve("pub-private"));
    Files.writeString(folder.resolve("pub-private").resolve("secret.txt"), "secret");
    FakeExchange exchange = FakeExchange.of("GET", "/");
    exchange.response().sendFile(path, rooted.dotfiles("allow").extensions("txt"), next);
    assertTrue(exchange.calls.isEmpty(), exchange::body);
    int status = next.failed();
    assertTrue(status == 400 || status == 403 || status == 404, () -> path + " " + status);
  }

  @Test
  void withoutARootAnAbsolutePathIsServed() {
    FakeExchange exchange = FakeExchange.of("GET", "/");
    String path = folder.resolve("secret.txt").toString().replace('\\', '/');
    exchange.response().sendFile(path, FileOptions.none(), next);
    assertEquals("200 secret", outcome(exchange));
  }

  @Test
  void aHeadRequestGetsOnlyTheHeaders() {
    FakeExchange exchange = FakeExchange.of("HEAD", "/");
    exchange.response().sendFile("todo.txt", rooted, next);
    assertEquals("200 ", outcome(exchange));
    assertEquals("9", exchange.header("Content-Length"));
    assertEquals(List.of("start", "end"), exchange.calls);
  }

  @Test
  void anEmptyFileHasALengthOfZero() {
    FakeExchange exchange = FakeExchange.of("GET", "/");
    exchange.response().sendFile("zero.txt", rooted, next);
    assertEquals("0", exchange.header("Content-Length"));
    assertEquals(List.of("start", "end"), exchange.calls);
  }

  @Test
  void aStatusWithoutABodyIsKept() {
    FakeExchange exchange = FakeExchange.of("GET", "/");
    exchange.response().status(204).sendFile("todo.txt", rooted, next);
    assertEquals("204 ", outcome(exchange));
    assertNull(exchange.header("Content-Length"));
  }

  @Test
  void aFailureRemovesTheNameOfADownload() {
    Response res = FakeExchange.of("GET", "/", "Range", "bytes=99-").response();
    res.download("none.txt", null, rooted, next);
    assertNull(res.get("Content-Disposition"));
    res.download("todo.txt", null, rooted, next);
    assertEquals(416, next.failed());
    assertNull(res.get("Content-Disposition"));
    assertThrows(HttpError.class, () -> res.download(folder.resolve("none")));
    assertNull(res.get("Content-Disposition"));
  }

  @Test
  void aDownloadIsNamedAndHasTheTypeOfTheFile() {
    FakeExchange exchange = FakeExchange.of("GET", "/");
    exchange.response().download(folder.resolve("secret.txt"));
    assertEquals("attachment; filename=\"secret.txt\"", exchange.header("Content-Disposition"));
    exchange = FakeExchange.of("GET", "/");
    exchange.response().download(folder.resolve("secret.txt"), "a/b.html");
    assertEquals("attachment; filename=\"b.html\"", exchange.header("Content-Disposition"));
    assertEquals("text/plain; charset=utf-8", exchange.header("Content-Type"));
    exchange = FakeExchange.of("GET", "/");
    exchange.response().download("users/../todo.txt", null, rooted, next);
    assertEquals("attachment; filename=\"todo.txt\"", exchange.header("Content-Disposition"));
    assertEquals("200 groceries", outcome(exchange));
    exchange = FakeExchange.of("GET", "/");
    exchange.response().download("foo%20bar", null, rooted, next);
    assertEquals("attachment; filename=\"foo bar\"", exchange.header("Content-Disposition"));
    assertEquals("200 baz", outcome(exchange));
  }

  @Test
  void anErrorOfTheHookIsThrown() {
    FakeExchange exchange = FakeExchange.of("GET", "/");
    FileOptions options =
        rooted.headers(
            (res, file, attributes) -> {
              throw new HttpError(403);
            });
    Response res = exchange.response();
    assertThrows(HttpError.class, () -> res.sendFile("todo.txt", options, next));
    assertEquals("", next.outcome);
    res.send("instead");
    assertEquals("200 instead", outcome(exchange));
  }

  @Test
  void aSecondResponseIsRejected() {
    FakeExchange exchange = FakeExchange.of("GET", "/");
    Response res = exchange.response();
    res.send("first");
    assertThrows(IllegalStateException.class, () -> res.sendFile("todo.txt", rooted, next));
    res.sendFile("none.txt", rooted, next);
    assertEquals(404, next.failed());
    assertEquals("first", exchange.body());
  }

  private String outcome(FakeExchange exchange) {
    return next.outcome.isEmpty() ? exchange.status + " " + exchange.body() : next.outcome;
  }

  /** Records how a request was passed on. */
  private static final class Recorder implements Next {

    private String outcome = "";

    @Override
    public void run() {
      outcome = "next";
    }

    @Override
    public void fail(Throwable error) {
      HttpError http = (HttpError) error;
      outcome = http.status() + " " + http.getMessage() + " " + http.field("code");
    }

    @Override
    public void route() {
      throw new IllegalStateException();
    }

    int failed() {
      return Integer.parseInt(outcome.substring(0, 3));
    }
  }
}

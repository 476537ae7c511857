package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Lint;
import dev.percolate.testkit.Reply;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class StaticFilesTest {

  private static final Handler PASSED = (req, res) -> res.send("passed");
  private static final ErrorHandler TYPED =
      (error, req, res, next) ->
          res.status(((HttpError) error).status())
              .send(error.getMessage() + " " + ((HttpError) error).type());

  @TempDir private Path folder;
  private StaticFiles files = StaticFiles.of(Path.of("/"));

  @BeforeEach
  void fill() throws Exception {
    write("secret.txt", "secret");
    write("pub/todo.txt", "- groceries");
    write("pub/nums", "123456789");
    write("pub/index.html", "root");
    write("pub/users/index.html", "tobi");
    write("pub/users/tobi.txt", "ferret");
    write("pub/empty/readme.txt", "r");
    write("pub/.hidden", "hidden");
    write("pub/.dir/in.txt", "inside");
    write("two/todo.txt", "second");
    write("two/b.txt", "two b");
    write("two/users", "a file");
    files = StaticFiles.of(folder.resolve("pub"));
  }

  @Test
  void aFileIsServedWithItsHeaders() {
    Reply reply = reply(Call.get("/todo.txt?v=1"), files);
    assertEquals("200 - groceries", outcome(reply));
    assertEquals("text/plain; charset=utf-8", reply.header("Content-Type"));
    assertEquals("Thu, 02 Jan 2020 03:04:05 GMT", reply.header("Last-Modified"));
    assertEquals("W/\"b-16f6435cc88\"", reply.header("ETag"));
    assertEquals("public, max-age=0", reply.header("Cache-Control"));
    Reply head = reply(Call.head("/todo.txt"), files);
    assertEquals("200 ", outcome(head));
    assertEquals("11", head.header("Content-Length"));
  }

  @Test
  void anErrorResponseHasNoHeadersOfTheFile() {
    Call part = Call.get("/nums").header("Range", "bytes=2-4");
    Reply reply = Played.reply(part, Played.FAILING_HOOK, files.maxAge("1 year"));
    assertEquals("500 no sessions", outcome(reply));
    for (String name :
        List.of("Accept-Ranges", "Cache-Control", "Content-Range", "ETag", "Last-Modified")) {
      assertNull(reply.header(name), name);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/,200 root",
    "/users/,200 tobi",
    "/users/?a=b,200 tobi",
    "/users/../todo.txt,200 - groceries",
    "/none,200 passed",
    "/empty/,200 passed",
    "/todo.txt/,200 passed",
    "/todo.txt/x,200 passed",
    "/.hidden,200 passed",
    "/.dir/in.txt,200 passed",
    "/.dir/,200 passed",
    "/%,200 passed",
    "/%74odo.txt,200 - groceries",
    "//users/./x/../tobi.txt,200 ferret",
    "/n%2Fone,200 passed",
    "/todo.txt%2Fx,200 passed",
    "/users%2Ftobi.txt,400 the path is ambiguous path.ambiguous",
    "/users/%2Ftobi.txt,400 the path is ambiguous path.ambiguous",
    "/a%00b,'400 '",
    "/../secret.txt,'400 '",
    "/..%2fsecret.txt,'400 '",
    "/..%5csecret.txt,'400 '"
  })
  void requestsThatCannotBeServedContinue(String path, String outcome) {
    assertEquals(outcome, outcome(reply(Call.get(path), files, PASSED, TYPED)));
  }

  @ParameterizedTest
  @CsvSource({
    "/.dir/in.txt,200 inside",
    "/.dir,200 passed",
    "/.hidden,200 passed",
    "/%74odo.txt,200 - groceries",
    "/users%2Ftobi.txt,200 ferret",
    "/a%00b,200 passed",
    "/../secret.txt,200 passed",
    "/..%2fsecret.txt,200 passed",
    "/..%5csecret.txt,200 passed"
  })
  void settingsOfExpressDecodePathsAndServeDottedFolders(String path, String outcome) {
    Settings express = new Settings().set("ambiguous targets", "pass").set("dotted folders", true);
    assertEquals(outcome, outcome(reply(express, Call.get(path), files, PASSED)));
  }

  @Test
  void dottedNamesAreServedIfConfigured() throws Exception {
    write("pub/.well-known/acme-challenge/token", "proof");
    Call call = Call.get("/.well-known/acme-challenge/token");
    assertEquals("200 passed", outcome(reply(call, files, PASSED)));
    assertEquals("200 proof", outcome(reply(call, files.allowedDotfiles(".well-known"), PASSED)));
    Call other = Call.get("/.dir/in.txt");
    assertEquals("200 passed", outcome(reply(other, files.allowedDotfiles(".well-known"), PASSED)));
    assertEquals("200 inside", outcome(reply(other, files.hidden(true), PASSED)));
  }

  @ParameterizedTest
  @CsvSource({
    "/none,404",
    "/empty/,404",
    "/.hidden,404",
    "/.dir/in.txt,200",
    "/%,400",
    "/x%00,400",
    "/../secret.txt,403",
    "/%2e%2e%2fsecret.txt,403"
  })
  void withoutFallthroughMissingFilesAreErrors(String path, int status) {
    Settings express = new Settings().set("ambiguous targets", "pass").set("dotted folders", true);
    assertEquals(status, reply(express, Call.get(path), files.fallthrough(false)).status());
    int here = path.startsWith("/.d") ? 404 : status == 403 ? 400 : status;
    assertEquals(here, reply(Call.get(path), files.fallthrough(false), PASSED).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "get"})
  void otherMethodsContinueOrAreRejected(String method) {
    Call call = Call.of(method, "/todo.txt");
    assertEquals("200 passed", outcome(reply(call, files, PASSED)));
    Reply rejected = reply(call, files.fallthrough(false), PASSED);
    assertEquals("405 ", outcome(rejected));
    assertEquals("GET, HEAD", rejected.header("Allow"));
    assertEquals("0", rejected.header("Content-Length"));
  }

  @Test
  void aFailedPreconditionIsAlwaysAnError() {
    StaticFiles immutable = files.maxAge("1 year").immutable(true);
    Call resumed = Call.get("/nums").header("If-Match", "\"old\"").header("Range", "bytes=5-");
    Reply reply = reply(resumed, immutable, PASSED);
    assertEquals(412, reply.status());
    for (String name : List.of("Cache-Control", "Last-Modified", "Accept-Ranges", "ETag")) {
      assertNull(reply.header(name), name);
    }
  }

  @Test
  void anUnsatisfiableRangeIsAlwaysAnError() {
    StaticFiles immutable = files.maxAge("1 year").immutable(true);
    Reply reply = reply(Call.get("/nums").header("Range", "bytes=9-"), immutable, PASSED);
    assertEquals(416, reply.status());
    assertEquals("bytes */9", reply.header("Content-Range"));
    for (String name : List.of("Cache-Control", "Last-Modified", "Accept-Ranges", "ETag")) {
      assertNull(reply.header(name), name);
    }
    reply = reply(Call.get("/nums").header("Range", "bytes=-2"), files, PASSED);
    assertEquals("206 89", outcome(reply));
  }

  @Test
  void aDirectoryIsRedirectedToItsPathWithASlash() {
    Reply reply = reply(Call.get("/users?a=1&b"), files, PASSED);
    assertEquals(
        "303 Redirecting to <a href=\"/users/?a=1&amp;b\">/users/?a=1&amp;b</a>\n", outcome(reply));
    assertEquals("/users/?a=1&b", reply.header("Location"));
    assertEquals("text/html; charset=utf-8", reply.header("Content-Type"));
    assertEquals("nosniff", reply.header("X-Content-Type-Options"));
    assertEquals("" + reply.bytes().length, reply.header("Content-Length"));
    assertEquals("303 ", outcome(reply(Call.head("/users"), files, PASSED)));
    Settings asSent = new Settings().set(Settings.AMBIGUOUS_TARGETS, "pass");
    assertEquals(
        "/users%2F/", reply(asSent, Call.get("/users%2F"), files, PASSED).header("Location"));
  }

  @Test
  void withoutRedirectADirectoryIsNotFound() {
    assertEquals("200 passed", outcome(reply(Call.get("/users"), files.redirect(false), PASSED)));
    StaticFiles strict = files.redirect(false).fallthrough(false).dotfiles("deny");
    assertEquals(403, reply(Call.get("/.dir/in.txt"), strict).status());
    assertEquals(404, reply(Call.get("/users"), strict, PASSED).status());
    assertEquals("200 passed", outcome(reply(Call.get("/users/"), files.index(), PASSED)));
    assertEquals(404, reply(Call.get("/"), files.index().fallthrough(false)).status());
  }

  @Test
  void theMountPathIsRedirected() {
    Middleware mount =
        (req, res, next) -> {
          req.url(req.url().equals("/m") ? "/" : req.url().substring(2));
          next.run();
        };
    assertEquals("/m/", reply(Call.get("/m"), mount, files).header("Location"));
    assertEquals("200 root", outcome(reply(Call.get("/m/"), mount, files)));
    assertEquals("/m/users/", reply(Call.get("/m/users"), mount, files).header("Location"));
    assertEquals("200 - groceries", outcome(reply(Call.get("/m/todo.txt"), mount, files)));
  }

  @Test
  void theFirstOfSeveralRootsThatHasTheFileServesIt() {
    StaticFiles two = StaticFiles.of(folder.resolve("two"));
    assertEquals("200 - groceries", outcome(reply(Call.get("/todo.txt"), files, two, PASSED)));
    assertEquals("200 two b", outcome(reply(Call.get("/b.txt"), files, two, PASSED)));
    assertEquals("200 passed", outcome(reply(Call.get("/c.txt"), files, two, PASSED)));
    assertEquals(303, reply(Call.get("/users"), files, two, PASSED).status());
    Reply head = reply(Call.head("/b.txt"), files, two, PASSED);
    assertEquals("200  5", outcome(head) + " " + head.header("Content-Length"));
    assertEquals("200 a file", outcome(reply(Call.get("/users"), two, files, PASSED)));
  }

  @Test
  void aRootThatDoesNotExistServesNothing() {
    StaticFiles none = StaticFiles.of(folder.resolve("none"));
    assertEquals("200 passed", outcome(reply(Call.get("/"), none, PASSED)));
    assertEquals("200 passed", outcome(reply(Call.get("/a"), none, PASSED)));
    assertEquals(
        "root must not be an empty path",
        assertThrows(IllegalArgumentException.class, () -> StaticFiles.of(Path.of("")))
            .getMessage());
  }

  @Test
  void fileOptionsApply() {
    StaticFiles all =
        files
            .index("none", "tobi.txt")
            .extensions("txt")
            .dotfiles("allow")
            .maxAge("1d")
            .immutable(true)
            .etag(false)
            .lastModified(false)
            .start(1)
            .end(3)
            .headers((res, file, attributes) -> res.set("X-Size", "" + attributes.size()));
    Reply reply = reply(Call.get("/todo"), all);
    assertEquals("200  gr", outcome(reply));
    assertEquals("public, max-age=86400, immutable", reply.header("Cache-Control"));
    assertEquals("11", reply.header("X-Size"));
    assertNull(reply.header("ETag"));
    assertNull(reply.header("Last-Modified"));
    assertEquals("200 err", outcome(reply(Call.get("/users/"), all)));
    assertEquals("200 idd", outcome(reply(Call.get("/.hidden"), all)));
    assertEquals("200 hidden", outcome(reply(Call.get("/.hidden"), files.hidden(true))));
    assertEquals(
        "public, max-age=60",
        reply(Call.get("/nums"), files.maxAge(60_999)).header("Cache-Control"));
    assertThrows(IllegalArgumentException.class, () -> files.dotfiles("maybe"));
    assertEquals(
        "maxAge must be a time such as \"2 hours\", was \"bananas\"",
        Played.rejection(() -> files.maxAge("bananas")));
    assertEquals("maxAge must be at least 0, was -5", Played.rejection(() -> files.maxAge(-5)));
  }

  @Test
  void aFolderOfTheClassPathIsServedLikeADirectory() throws Exception {
    URL[] places = {folder.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(places, null)) {
      StaticFiles resources = StaticFiles.ofClassPath("/pub", loader);
      assertEquals("200 - groceries", outcome(reply(Call.get("/todo.txt"), resources, PASSED)));
      assertEquals("200 tobi", outcome(reply(Call.get("/users/"), resources, PASSED)));
      assertEquals("/users/", reply(Call.get("/users"), resources).header("Location"));
      assertEquals("200 passed", outcome(reply(Call.get("/nums%2F"), resources, PASSED)));
      StaticFiles two = StaticFiles.of(folder.resolve("two"));
      assertEquals("200 second", outcome(reply(Call.get("/todo.txt"), two, resources)));
      assertEquals("200 123456789", outcome(reply(Call.get("/nums"), two, resources)));
    }
  }

  @Test
  void theClassLoaderIsThatOfTheCallingThread() throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, null)) {
      thread.setContextClassLoader(loader);
      StaticFiles resources = StaticFiles.ofClassPath("pub");
      thread.setContextClassLoader(before);
      assertEquals("200 123456789", outcome(reply(Call.get("/nums"), resources)));
    } finally {
      thread.setContextClassLoader(before);
    }
    assertThrows(IllegalArgumentException.class, () -> StaticFiles.ofClassPath("/"));
  }

  @Test
  void precompressedAndSymlinksApply() throws Exception {
    write("pub/nums.gz", "zip");
    StaticFiles packed = files.precompressed("br", "gz");
    Reply reply = reply(Call.get("/nums").header("Accept-Encoding", "gzip, br"), packed);
    assertEquals("200 zip gzip", outcome(reply) + " " + reply.header("Content-Encoding"));
    reply = reply(Call.get("/nums"), packed);
    assertEquals("200 123456789 Accept-Encoding", outcome(reply) + " " + reply.header("Vary"));
    try {
      Files.createSymbolicLink(folder.resolve("pub/out"), folder.resolve("two"));
    } catch (UnsupportedOperationException | FileSystemException e) {
      assumeTrue(false, "no links here");
    }
    assertEquals("200 second", outcome(reply(Call.get("/out/todo.txt"), files, PASSED)));
    StaticFiles bound = files.symlinks(false);
    assertEquals("200 passed", outcome(reply(Call.get("/out/todo.txt"), bound, PASSED)));
    assertEquals("200 passed", outcome(reply(Call.get("/out"), bound, PASSED)));
    assertEquals("200 123456789", outcome(reply(Call.get("/nums"), bound, PASSED)));
  }

  @Test
  void anErrorOfTheHeaderHookIsAnError() {
    StaticFiles failing =
        files.headers(
            (res, file, attributes) -> {
              throw new HttpError(403);
            });
    assertEquals(403, reply(Call.get("/todo.txt"), failing, PASSED).status());
  }

  @Test
  void headersSetBeforeAreKeptIfNoFileIsServed() {
    Middleware before =
        (req, res, next) -> {
          res.set("Content-Disposition", "inline");
          next.run();
        };
    Reply reply = reply(Call.get("/none"), before, files, PASSED);
    assertEquals("inline", reply.header("Content-Disposition"));
  }

  private static Reply reply(Call call, Middleware... steps) {
    return reply(new Settings(), call, steps);
  }

  private static Reply reply(Settings settings, Call call, Middleware... steps) {
    Lint lint = new Lint();
    List<Middleware> watched = new ArrayList<>(Arrays.asList(steps));
    watched.replaceAll(step -> step instanceof StaticFiles ? lint.around(step) : step);
    Service service = Chain.service(settings, watched.toArray(Middleware[]::new));
    Reply reply = call.to(lint.service(service));
    lint.check();
    assertFalse(reply.text().contains("secret") && reply.status() == 200, call::toString);
    return reply;
  }

  private static String outcome(Reply reply) {
    return reply.status() + " " + reply.text();
  }

  private void write(String name, String text) throws Exception {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2020-01-02T03:04:05Z")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "/users/7/edit     | text/html,*/*;q=0.8     | 200 root",
        "/no/such/         | */*                     | 200 root",
        "/nowhere          | -                       | 200 root",
        "/nowhere          | application/json, */*   | 200 passed",
        "/nowhere          | application/json        | 200 passed",
        "/nowhere          | image/*                 | 200 passed",
        "/app.js           | text/html               | 200 passed",
        "/v1.2/about       | text/html               | 200 root",
        "/todo.txt         | text/html               | 200 - groceries",
        "/users/           | text/html               | 200 tobi",
        "/users            | text/html               | 303 /users/",
        "/a%00b            | text/html               | 400",
        "/a%2f..%2fsecret  | text/html               | 200 passed",
        "/a%2fb            | text/html               | 200 root",
      })
  void theFallbackIsSentForMissingPages(String path, String accept, String outcome) {
    Call call = accept == null ? Call.get(path) : Call.get(path).header("Accept", accept);
    Reply reply = reply(call, files.fallback("index.html"), PASSED);
    boolean redirects = reply.status() / 100 == 3;
    assertEquals(outcome, redirects ? "303 " + reply.header("Location") : outcome(reply).strip());
  }

  @Test
  void theFallbackIsSentForGetAndHeadAndVaries() {
    StaticFiles app = files.fallback("/users/index.html").maxAge("1h");
    Reply head = reply(Call.head("/nowhere"), app);
    assertEquals("4", head.header("Content-Length"));
    assertEquals("Accept", head.header("Vary"));
    assertEquals("200 passed", outcome(reply(Call.post("/nowhere"), app, PASSED)));
    assertEquals(
        "200 passed", outcome(reply(Call.get("/nowhere"), files.fallback("none.html"), PASSED)));
    assertEquals(
        "200 passed", outcome(reply(Call.get("/nowhere"), files.fallback("users"), PASSED)));
    assertNull(reply(Call.get("/todo.txt"), app).header("Vary"));
    for (String page : List.of("", "/", "a/", "../secret.txt", "a/../../b", "a\0b")) {
      Exception rejected = assertThrows(IllegalArgumentException.class, () -> files.fallback(page));
      assertEquals("fallback(\"" + page + "\"): must be the name of a file", rejected.getMessage());
    }
  }
}

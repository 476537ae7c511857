package dev.percolate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.FileOptions;
import dev.percolate.framework.App;
import dev.percolate.framework.AppSettings;
import dev.percolate.middleware.StaticFiles;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that must not be served, and names that refer to another file; see docs/security/rows.tsv.
 */
final class StaticRowsTest {

  @TempDir private Path folder;
  private StaticFiles files = StaticFiles.of(Path.of("/"));

  @BeforeEach
  void fill() throws IOException {
    write("x", "secret");
    write("static-private/x", "secret");
    write("static/index.html", "index");
    write("static/a/b.txt", "text");
    write("static/nums", "123456789");
    write("static/.env", "hidden");
    write("static/a/.git/config", "hidden");
    write("static/.well-known/x", "hidden");
    files = StaticFiles.of(folder.resolve("static"));
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static Reply reply(Call call, StaticFiles files) {
    return call.to(new App().set("env", "production").use(files));
  }

  /** Plays a call with the settings of the recorded scenarios. */
  private static Reply recorded(Call call, StaticFiles files) {
    return call.to(new App().set(AppSettings.express()).set("env", "production").use(files));
  }

  private int passedOn(String path) {
    return recorded(Call.get(path), files).status();
  }

  private int rejected(String path) {
    return recorded(Call.get(path), files.fallthrough(false)).status();
  }

  private int here(String path) {
    return reply(Call.get(path), files).status();
  }

  @ParameterizedTest(name = "STA-01: {0}")
  @ValueSource(
      strings = {
        "/../x",
        "/%2e%2e/x",
        "/..%2fx",
        "/a/../../x",
        "/%2e%2e%2fx",
        "/a/%2E%2E/%2e%2e/x",
        "/../static-private/x"
      })
  void nothingAboveTheRootIsServed(String path) {
    assertEquals(400, here(path));
    assertEquals(404, passedOn(path));
    assertEquals(403, rejected(path));
    App app = new App().set(AppSettings.express());
    FileOptions below = FileOptions.none().root(folder.resolve("static"));
    app.use((req, res, next) -> res.sendFile(req.path(), below, next));
    assertEquals(403, Call.get(path).to(app).status());
  }

  @ParameterizedTest(name = "STA-02: {0} is decoded once")
  @ValueSource(
      strings = {
        "/%252e%252e/x",
        "/..%252fx",
        "/%25252e%25252e/x",
        "/%252e%252e%252fx",
        "/a%252fb.txt"
      })
  void namesAreDecodedOnce(String path) throws IOException {
    assertTrue(here(path) == 404 || path.startsWith("/..%2"), path);
    assertEquals(404, passedOn(path));
    assertEquals(404, rejected(path));
    write("static/%2e%2e/x", "a folder with an odd name");
    assertEquals("a folder with an odd name", reply(Call.get("/%252e%252e/x"), files).text());
  }

  @ParameterizedTest(name = "STA-03: {0}")
  @ValueSource(
      strings = {
        "/..%5cx",
        "/..\\x",
        "/C:",
        "/C:/x",
        "/\\\\host\\share",
        "/%5c%5chost%5cshare",
        "/x::$DATA",
        "/nums::$DATA",
        "/NUL",
        "/nums.",
        "/nums%20",
        "/a%5cb.txt",
        "/a\\b.txt"
      })
  void whatOtherSystemsTakeForAnotherFileIsNone(String path) {
    assertEquals(path.contains("\\") || path.contains("%5c") ? 400 : 404, here(path));
    assertEquals(404, passedOn(path));
    assertTrue(rejected(path) == 404 || rejected(path) == 403, path);
  }

  @ParameterizedTest(name = "STA-04: {0} is 400, as recorded passed on where that is asked for")
  @ValueSource(strings = {"/a%00.html", "/nums%00", "/%00", "/nums%00.txt"})
  void aNameHoldsNoNul(String path) {
    assertEquals(400, here(path));
    assertEquals(400, rejected(path));
    assertEquals(404, passedOn(path));
  }

  @ParameterizedTest(name = "STA-05: {0}")
  @ValueSource(strings = {"/../static-private/x", "/..%2fstatic-private/x", "-private/x"})
  void aFolderWhoseNameBeginsLikeTheRootsIsAnother(String path) {
    assertEquals(path.startsWith("-") ? 404 : 400, here(path));
    assertEquals(404, passedOn(path));
  }

  @ParameterizedTest(name = "STA-06: {0} by dotfiles")
  @ValueSource(
      strings = {"/.env", "/a/.git/config", "/.well-known/x", "/%2eenv", "/a/%2egit/config"})
  void eachPartCountsForDotfiles(String path) {
    assertEquals(404, reply(Call.get(path), files.dotfiles("ignore").fallthrough(false)).status());
    assertEquals(403, reply(Call.get(path), files.dotfiles("deny").fallthrough(false)).status());
    assertEquals("hidden", reply(Call.get(path), files.dotfiles("allow")).text());
  }

  @Test
  @DisplayName("STA-06: by default each part counts, with `dotted folders`, as recorded, the last")
  void byDefaultEachPartCounts() {
    for (String path : new String[] {"/.env", "/a/.git/config", "/.well-known/x"}) {
      assertEquals(404, here(path));
      assertEquals(path.equals("/.env") ? 404 : 200, passedOn(path));
    }
    StaticFiles known = files.allowedDotfiles(".well-known");
    assertEquals("hidden", reply(Call.get("/.well-known/x"), known).text());
    assertEquals(404, reply(Call.get("/a/.git/config"), known).status());
  }

  @Test
  @DisplayName(
      "STA-07: links are followed as recorded, but with symlinks(false) not out of the root")
  void linksStayInsideIfAskedTo() throws IOException {
    try {
      Path root = folder.resolve("static");
      Files.createSymbolicLink(root.resolve("file"), folder.resolve("x"));
      Files.createSymbolicLink(root.resolve("dir"), folder.resolve("static-private"));
      Files.createSymbolicLink(root.resolve("hop"), Path.of("dir"));
      Files.createSymbolicLink(root.resolve("loop"), Path.of("loop"));
      Files.createSymbolicLink(root.resolve("inside"), Path.of("a/b.txt"));
    } catch (UnsupportedOperationException | FileSystemException e) {
      assumeTrue(false, "no links here");
    }
    StaticFiles kept = files.symlinks(false);
    for (String path : new String[] {"/file", "/dir/x", "/hop/x", "/a/../hop/x"}) {
      assertEquals("secret", reply(Call.get(path.replace("/a/..", "")), files).text());
      Reply reply = reply(Call.get(path), kept);
      assertEquals(404, reply.status(), path);
      assertFalse(reply.text().contains("secret"), path);
    }
    assertEquals("text", reply(Call.get("/inside"), kept).text());
    assertTrue(reply(Call.get("/loop"), kept).status() >= 404);
  }

  @ParameterizedTest(name = "STA-08: {0} is redirected to {1}")
  @CsvSource({
    "//a, /a/",
    "//example.com/%2e%2e/a, /example.com/%2e%2e/a/",
    "/\\example.com/.., /%5Cexample.com/../",
    "//evil, ''",
    "///a?x=//evil, /a/?x=//evil",
    "http://evil/a, /a/",
  })
  void aRedirectBeginsWithOneSlash(String path, String location) {
    Reply reply = recorded(Call.get(path), files);
    String sent = reply.header("Location");
    assertEquals(location, sent == null ? "" : sent);
    assertEquals(location.isEmpty() ? 404 : 303, reply.status());
    if (location.endsWith("a/") || location.contains("?")) {
      String normal = location.replace("/example.com/%2e%2e", "");
      assertEquals(normal, reply(Call.get(path), files).header("Location"));
    }
  }

  @Test
  @DisplayName(
      "STA-09: a path with markup is escaped in the page of a redirect, and nothing sniffed")
  void pagesAreEscaped() throws IOException {
    write("static/<script>/b", "");
    Reply reply = reply(Call.get("/%3Cscript%3E?<script>'\""), files);
    assertEquals(303, reply.status());
    assertFalse(reply.text().contains("<script>"), reply.text());
    assertEquals("nosniff", reply.header("X-Content-Type-Options"));
    assertEquals("text/html; charset=utf-8", reply.header("Content-Type"));
    assertNull(reply.header("Content-Security-Policy")); // headers of default pages are recorded
    assertFalse(reply(Call.get("/<script>x"), files).text().contains("<script>"));
  }

  @Test
  @DisplayName("STA-11: an odd name of a file neither hides nor shows one: nothing is remembered")
  void nothingIsRemembered() throws IOException {
    assertEquals(404, passedOn("/a%2F..%2Fnew.html"));
    assertEquals(400, here("/a%2F..%2Fnew.html"));
    assertEquals(404, passedOn("/new.html"));
    write("static/new.html", "new");
    assertEquals("new", reply(Call.get("/new.html"), files).text());
    Files.delete(folder.resolve("static/new.html"));
    assertEquals(404, passedOn("/new.html"));
  }

  @ParameterizedTest(name = "STA-12: {0} and more of it")
  @ValueSource(strings = {"0-,", "0-0,", "1-5,2-6,", "-1,"})
  void manyRangesGiveTheFileOnce(String range) {
    String value = "bytes=" + range.repeat(1300) + "0-1";
    Reply reply = reply(Call.get("/nums").header("Range", value), files);
    assertEquals("200 123456789", reply.status() + " " + reply.text());
  }

  @ParameterizedTest(name = "STA-13: {0} is {1}")
  @CsvSource({
    "bytes=18446744073709551615-, 416",
    "bytes=9-, 416",
    "bytes=5-2, 416",
    "bytes=-0, 416",
    "bytes=a-b, 416",
    "bytes=0-18446744073709551615, 206",
    "bytes=-18446744073709551615, 206",
    "items=0-8, 200",
    "bytes, 200",
    "'', 200",
  })
  void aRangeThatIsNotThereIsRejectedOrPassedOver(String range, int status) {
    Reply reply = reply(Call.get("/nums").header("Range", range), files);
    assertEquals(status, reply.status());
    if (status == 416) {
      assertEquals("bytes */9", reply.header("Content-Range"));
    } else {
      assertEquals("123456789", reply.text());
    }
  }

  @Test
  @DisplayName("STA-13: a condition that fails gives the whole file")
  void aRangeOfAnotherFileIsPassedOver() {
    Call call = Call.get("/nums").header("Range", "bytes=0-1").header("If-Range", "\"other\"");
    assertEquals("200 123456789", status(reply(call, files)));
  }

  private static String status(Reply reply) {
    return reply.status() + " " + reply.text();
  }

  @ParameterizedTest(name = "STA-14: {0} of {1} characters is 404")
  @CsvSource({"a name, 300", "a path, 5000"})
  void aNameThatIsTooLongIs404(String what, int length) {
    String name = what.equals("a path") ? "/n".repeat(length / 2) : "/" + "n".repeat(length);
    assertEquals(404, passedOn(name));
    assertEquals(404, rejected(name));
  }

  @Test
  @DisplayName("STA-14: what cannot be read is 500, a folder no file")
  void whatCannotBeReadIs500() throws IOException {
    Path nums = folder.resolve("static/nums");
    assumeTrue(nums.toFile().setReadable(false) && !Files.isReadable(nums), "root reads all");
    assertEquals(500, passedOn("/nums"));
    assertEquals(404, reply(Call.get("/a"), files.redirect(false)).status());
  }

  @ParameterizedTest(name = "STA-16: {0} has the type {1}")
  @CsvSource({
    "up.html, text/html; charset=utf-8",
    "up.txt, text/plain; charset=utf-8",
    "up.css, text/css; charset=utf-8",
    "up.unknown, application/octet-stream",
    "up, application/octet-stream",
  })
  void textHasACharsetAndWhatIsUnknownIsBytes(String name, String type) throws IOException {
    write("static/" + name, "<script>");
    assertEquals(type, reply(Call.get("/" + name), files).header("Content-Type"));
  }

  @Test
  @DisplayName("DL-01: neither a quote nor a line break ends the name of a download")
  void theNameOfADownloadDoesNotEndItsHeader() {
    App app = new App();
    app.get("/", (req, res) -> res.attachment("a\"\r\nX: y.txt").end());
    Reply reply = Call.get("/").to(app);
    assertEquals(
        "attachment; filename=\"a\\\"??X: y.txt\"; filename*=UTF-8''a%22%0D%0AX%3A%20y.txt",
        reply.header("Content-Disposition"));
    assertNull(reply.header("X"));
  }

  @ParameterizedTest(name = "DL-01: {0}")
  @CsvSource({
    "../x, attachment; filename=\"x\"",
    "/etc/passwd, attachment; filename=\"passwd\"",
    "\u20ac.txt, attachment; filename=\"?.txt\"; filename*=UTF-8''%E2%82%AC.txt",
  })
  void theNameOfADownloadIsQuoted(String name, String disposition) {
    App app = new App();
    app.get("/", (req, res) -> res.attachment(name).end());
    Reply reply = Call.get("/").to(app);
    assertEquals(disposition, reply.header("Content-Disposition"));
    assertNull(reply.header("X"));
  }
}

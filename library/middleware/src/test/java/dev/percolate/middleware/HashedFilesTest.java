package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests paths of static files that contain a hash. */
final class HashedFilesTest {

  private static final Handler PASSED = (req, res) -> res.send("passed");
  private static final String FOREVER = "public, max-age=31536000, immutable";

  @TempDir private Path folder;
  private StaticFiles files = StaticFiles.of(Path.of("/"));

  @BeforeEach
  void fill() throws Exception {
    write("app.css", "p {}");
    write("js/shop.min.js", "go()");
    write("LICENSE", "free");
    write(".env", "secret");
    files = StaticFiles.of(folder).hashed();
  }

  private void write(String name, String text) throws Exception {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private Reply get(String path) {
    return Played.reply(Call.get(path), files, PASSED);
  }

  @Test
  void thePathHasTheHashBeforeTheLastExtension() {
    assertTrue(files.hashedPath("/app.css").matches("/app\\.[0-9a-f]{10}\\.css"));
    assertTrue(files.hashedPath("/js/shop.min.js").matches("/js/shop\\.min\\.[0-9a-f]{10}\\.js"));
    assertTrue(files.hashedPath("/LICENSE").matches("/LICENSE\\.[0-9a-f]{10}"));
  }

  @Test
  void aHashedPathIsCachedForAYear() {
    for (String path : new String[] {"/app.css", "/js/shop.min.js", "/LICENSE"}) {
      Reply plain = get(path);
      Reply hashed = get(files.hashedPath(path));
      assertEquals(plain.text(), hashed.text());
      assertEquals(plain.header("Content-Type"), hashed.header("Content-Type"));
      assertEquals("public, max-age=0", plain.header("Cache-Control"));
      assertEquals(FOREVER, hashed.header("Cache-Control"));
    }
  }

  @Test
  void aPathThatClientsEncodeIsCachedForAYear() throws Exception {
    write("our logo.svg", "<svg/>");
    String path = files.hashedPath("/our logo.svg").replace(" ", "%20");
    assertEquals(FOREVER, get(path).header("Cache-Control"));
    StaticFiles other = StaticFiles.of(folder).hashed();
    assertEquals(FOREVER, Played.reply(Call.get(path), other, PASSED).header("Cache-Control"));
    assertEquals("<svg/>", get(path).text());
  }

  @Test
  void aChangedFileHasAnotherPath() throws Exception {
    String before = files.hashedPath("/app.css");
    write("app.css", "p { color: red }");
    String after = files.hashedPath("/app.css");
    assertNotEquals(before, after);
    assertEquals("p { color: red }", get(after).text());
    Reply old = Played.reply(Call.get(before), files.maxAge("1d"), PASSED);
    assertEquals("p { color: red }", old.text());
    assertEquals("public, max-age=0", old.header("Cache-Control"));
  }

  @Test
  void otherServersKnowTheSamePaths() {
    String path = StaticFiles.of(folder).hashed().hashedPath("/app.css");
    assertEquals(FOREVER, get(path).header("Cache-Control"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/none.0123456789.css",
        "/.env.0123456789",
        "/js.0123456789",
        "/app.0123456789.css/",
        "/app.012345678.css",
        "/app.0123456789.txt"
      })
  void otherPathsAreNotServed(String path) {
    assertEquals("passed", get(path).text());
  }

  @Test
  void aHiddenFileIsNotServedEvenWithItsHash() {
    assertEquals("passed", get(files.hashedPath("/.env")).text());
  }

  @Test
  void aFileWithSuchANameIsServed() throws Exception {
    write("app.abcdef0123.css", "built");
    assertEquals("built", get("/app.abcdef0123.css").text());
  }

  @Test
  void withoutTheOptionNoHashIsKnown() {
    String path = files.hashedPath("/app.css");
    assertEquals("passed", Played.reply(Call.get(path), StaticFiles.of(folder), PASSED).text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"app.css", "/none.css", "/js", "/js/", "/../x", "/a%20b", "", "/a\0b"})
  void aPathWithoutFileIsUnchanged(String path) {
    assertEquals(path, files.hashedPath(path));
  }

  @ParameterizedTest
  @ValueSource(strings = {"//app.css", "/./app.css", "/js/../app.css", "/js//../app.css", "/js/."})
  void aPathThatIsNotNormalizedHasNoHash(String path) {
    assertEquals(path, files.hashedPath(path));
    String hash = files.hashedPath("/app.css").substring("/app.".length()).replace(".css", "");
    Reply reply =
        Played.reply(
            new Settings().set(Settings.AMBIGUOUS_TARGETS, "pass"),
            Call.get(path + "." + hash),
            files,
            PASSED);
    assertNotEquals(FOREVER, reply.header("Cache-Control"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"C:/app.css", "js\\shop.min.js", "dot.", "space "})
  void aNameWithAnotherMeaningOnWindowsHasNoHash(String name) throws Exception {
    try {
      write(name, "x");
    } catch (IOException | InvalidPathException e) {
      assumeTrue(false, "no such names here");
    }
    assertEquals("/" + name, files.hashedPath("/" + name));
  }

  @Test
  void anAbsolutePathIsNotReadFromOutsideTheRoot() throws Exception {
    write("pub/in.css", "in");
    StaticFiles pub = StaticFiles.of(folder.resolve("pub")).hashed();
    String outside = "/" + folder.resolve("app.css").toString().replace('\\', '/');
    assertEquals(outside, pub.hashedPath(outside));
    assertTrue(pub.hashedPath("/in.css").matches("/in\\.[0-9a-f]{10}\\.css"));
  }

  @Test
  void aFileWithoutEndIsNotRead() {
    Path endless = Path.of("/proc/self/pagemap");
    assumeTrue(Files.isReadable(endless));
    StaticFiles proc = StaticFiles.of(Path.of("/proc/self")).hashed();
    assertEquals("/pagemap", proc.hashedPath("/pagemap"));
    Settings pass = new Settings().set(Settings.AMBIGUOUS_TARGETS, "pass");
    for (String path : List.of("//proc/self/pagemap.0123456789", "/pagemap/.0123456789")) {
      assertEquals("passed", Played.reply(pass, Call.get(path), files, PASSED).text());
    }
  }

  @Test
  void aFileOfMoreThan64MiBHasNoHash() throws Exception {
    try (RandomAccessFile film = new RandomAccessFile(folder.resolve("film.mp4").toFile(), "rw")) {
      film.setLength((64L << 20) + 1); // takes no room on most disks
    }
    assertEquals("/film.mp4", files.hashedPath("/film.mp4"));
    Reply reply = Played.reply(Call.of("HEAD", "/film.0123456789.mp4"), files, PASSED);
    assertEquals("public, max-age=0", reply.header("Cache-Control"));
  }

  @Test
  void aNameInAnotherCaseHasNoHash() throws Exception {
    try {
      Files.createSymbolicLink(folder.resolve("APP.css"), folder.resolve("app.css"));
    } catch (UnsupportedOperationException | IOException e) {
      assumeTrue(Files.exists(folder.resolve("APP.css")), "no links here");
    }
    assertEquals("/APP.css", files.hashedPath("/APP.css"));
    Reply reply = get(files.hashedPath("/app.css").replace("app", "APP"));
    assertEquals("p {}", reply.text());
    assertEquals("public, max-age=0", reply.header("Cache-Control"));
  }

  @Test
  void theHashOfALinkOutOfTheRootIsNotCompared() throws Exception {
    write("pub/in.css", "in");
    try {
      Files.createSymbolicLink(folder.resolve("pub/out.css"), folder.resolve("app.css"));
    } catch (UnsupportedOperationException | IOException e) {
      assumeTrue(false, "no links here");
    }
    StaticFiles pub = StaticFiles.of(folder.resolve("pub")).hashed().symlinks(false);
    String hash = files.hashedPath("/app.css").replace("app", "out");
    assertEquals("passed", Played.reply(Call.get(hash), pub, PASSED).text());
  }

  @Test
  void aHookStillSetsHeadersBeforeAndAfterTheFileIsKnown() {
    String path = files.hashedPath("/app.css");
    StaticFiles other =
        StaticFiles.of(folder).hashed().headers((headers, file, at) -> headers.set("X-A", "b"));
    for (int i = 0; i < 2; i++) {
      Reply reply = Played.reply(Call.get(path), other, PASSED);
      assertEquals("b", reply.header("X-A"));
      assertEquals(FOREVER, reply.header("Cache-Control"));
    }
    StaticFiles own =
        other.headers((headers, file, at) -> headers.set("Cache-Control", "no-store"));
    assertEquals("no-store", Played.reply(Call.get(path), own, PASSED).header("Cache-Control"));
  }

  @Test
  void templatesReadPathsFromAMap() {
    Map<String, String> paths = files.hashedPaths();
    assertEquals(files.hashedPath("/app.css"), paths.get("/app.css"));
    assertEquals("/none.css", paths.get("/none.css"));
    assertTrue(paths.containsKey("/app.css"));
    assertFalse(paths.isEmpty());
    assertNull(paths.get("size"));
  }

  @Test
  void filesInJarsHaveHashes() throws Exception {
    Path jar = folder.resolve("site.jar");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      zip.putNextEntry(new ZipEntry("public/app.css"));
      zip.write("p {}".getBytes(StandardCharsets.UTF_8));
      zip.closeEntry();
      zip.putNextEntry(new ZipEntry("public/js/"));
      zip.closeEntry();
    }
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
      StaticFiles inJar = StaticFiles.ofClassPath("/public", loader).hashed();
      assertEquals(files.hashedPath("/app.css"), inJar.hashedPath("/app.css"));
      Reply reply = Played.reply(Call.get(inJar.hashedPath("/app.css")), inJar, PASSED);
      assertEquals("p {}", reply.text());
      assertEquals(FOREVER, reply.header("Cache-Control"));
      assertEquals("/none.css", inJar.hashedPath("/none.css"));
      assertEquals("/js", inJar.hashedPath("/js"));
    }
  }
}

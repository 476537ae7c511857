package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.http.HttpError;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ClassPathTest {

  private static final FileTime TIME = FileTime.from(Instant.parse("2020-01-02T03:04:06Z"));

  /** The locations of resources. */
  enum Kind {
    DIRECTORY,
    JAR,
    JAR_WITHOUT_FOLDERS
  }

  @TempDir private Path folder;
  private final List<URLClassLoader> loaders = new ArrayList<>();
  private final Map<String, String> resources = new LinkedHashMap<>();
  private String passed = "";

  @BeforeEach
  void fill() {
    resources.put("top.txt", "secret");
    resources.put("app/Main.class", "secret");
    resources.put("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n");
    resources.put("publicly/x.txt", "secret");
    resources.put("public/index.html", "root");
    resources.put("public/todo.txt", "- groceries");
    resources.put("public/foo bar#1.txt", "odd");
    resources.put("public/zero.txt", "");
    resources.put("public/users/index.html", "tobi");
    resources.put("public/users.html", "users");
    resources.put("public/Code.class", "secret");
    resources.put("public/.env", "secret");
  }

  @AfterEach
  void close() throws Exception {
    for (URLClassLoader loader : loaders) {
      loader.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void resourcesAreSentLikeFiles(Kind kind) throws Exception {
    FileOptions options = FileOptions.none().classPath("/public", loader(kind));
    assertEquals("200 - groceries", outcome("/todo.txt", options));
    assertEquals("200 - groceries", outcome("users/..//todo.txt", options));
    assertEquals("200 odd", outcome("/foo%20bar%231.txt", options));
    assertEquals("200 ", outcome("/zero.txt", options));
    assertEquals("200 root", outcome("/", options));
    assertEquals("200 tobi", outcome("/users/", options));
    assertEquals("200 - groceries", outcome("/todo", options.extensions("html", "txt")));
    assertEquals("404 ENOENT", outcome("/none/", options));
    assertEquals("404 ENOENT", outcome("/none.txt", options));
  }

  @ParameterizedTest
  @EnumSource
  void aFolderIsNeverListed(Kind kind) throws Exception {
    FileOptions options = FileOptions.none().classPath("public", loader(kind));
    assertEquals("next", outcome("/users", options.extensions("html")));
    assertEquals("next", outcome("", options));
    if (kind != Kind.JAR_WITHOUT_FOLDERS) {
      assertEquals("next", outcome("/users/", options.index()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void classFilesAndFilesOutsideOfTheFolderAreNotFound(Kind kind) throws Exception {
    FileOptions options =
        FileOptions.none()
            .classPath("/public/", loader(kind))
            .dotfiles("allow")
            .extensions("class");
    for (String path :
        new String[] {
          "/../top.txt",
          "/%2e%2e/top.txt",
          "/..%5ctop.txt",
          "/..;/top.txt",
          "ly/x.txt",
          "/Code.class",
          "/Code",
          "/code.CLASS",
          "/Code.class.",
          "/Code.class%20",
          "/Code.class/",
          "/a:b",
          "/todo.txt::$DATA",
          "/todo.txt%00",
          "/!/../../top.txt"
        }) {
      String outcome = outcome(path, options);
      assertEquals("4", outcome.substring(0, 1), path + " " + outcome);
    }
    assertEquals("200 secret", outcome("/.env", options));
    assertEquals("404 null", outcome("/.env", options.dotfiles("ignore")));
  }

  @ParameterizedTest
  @EnumSource(names = {"JAR", "DIRECTORY"})
  void rangesAndConditionsApply(Kind kind) throws Exception {
    FileOptions options = FileOptions.none().classPath("/public", loader(kind));
    FakeExchange exchange = FakeExchange.of("GET", "/", "Range", "bytes=2-4");
    assertEquals("206 gro", outcome(exchange, "/todo.txt", options));
    assertEquals("bytes 2-4/11", exchange.header("Content-Range"));
    assertEquals("Thu, 02 Jan 2020 03:04:06 GMT", exchange.header("Last-Modified"));
    assertEquals("text/plain; charset=utf-8", exchange.header("Content-Type"));
    String tag = String.valueOf(exchange.header("ETag"));
    exchange = FakeExchange.of("GET", "/", "If-None-Match", tag);
    assertEquals("304 ", outcome(exchange, "/todo.txt", options));
    exchange = FakeExchange.of("GET", "/", "Range", "bytes=11-");
    assertEquals("416 null", outcome(exchange, "/todo.txt", options));
    exchange = FakeExchange.of("HEAD", "/");
    assertEquals("200 ", outcome(exchange, "/todo.txt", options));
    assertEquals("11", exchange.header("Content-Length"));
  }

  @Test
  void jarEntriesOfEqualSizeAndTimeHaveDifferentTags() throws Exception {
    FakeExchange first = FakeExchange.of("GET", "/");
    FakeExchange second = FakeExchange.of("GET", "/");
    outcome(first, "/todo.txt", FileOptions.none().classPath("public", loader(Kind.JAR)));
    resources.put("public/todo.txt", "- gr0ceries");
    outcome(second, "/todo.txt", FileOptions.none().classPath("public", loader(Kind.JAR)));
    assertEquals(first.header("Last-Modified"), second.header("Last-Modified"));
    assertEquals("W/\"b-c", String.valueOf(first.header("ETag")).substring(0, 6));
    assertEquals(false, first.header("ETag").equals(second.header("ETag")));
  }

  @Test
  void theApplicationCanSendAResource() throws Exception {
    FileOptions options = FileOptions.none().classPath("public", loader(Kind.JAR));
    FakeExchange exchange = FakeExchange.of("GET", "/");
    exchange.response().sendFile(Path.of("users", "index.html"), options);
    assertEquals("tobi", exchange.body());
    Response res = FakeExchange.of("GET", "/").response();
    assertThrows(HttpError.class, () -> res.sendFile(Path.of("..", "top.txt"), options));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "/", "//", "META-INF", "/meta-inf/", ".", "..", "/public/..", "a\\b", "C:/x"})
  void invalidFoldersAreRejected(String name) {
    FileOptions none = FileOptions.none();
    ClassLoader loader = ClassPathTest.class.getClassLoader();
    String message =
        assertThrows(IllegalArgumentException.class, () -> none.classPath(name, loader))
            .getMessage();
    assertEquals("classPath(\"" + name + "\"): ", message.substring(0, 15 + name.length()));
  }

  @Test
  void linksOutOfTheFolderAreNotFollowedIfDisabled() throws Exception {
    URLClassLoader loader = loader(Kind.DIRECTORY);
    Path root = folder.resolve("classes0/public");
    try {
      Files.createSymbolicLink(root.resolve("out.txt"), root.resolveSibling("top.txt"));
      Files.createSymbolicLink(root.resolve("in.txt"), root.resolve("users/index.html"));
      Files.createSymbolicLink(root.resolve("users/in.txt"), root.resolve("todo.txt"));
    } catch (UnsupportedOperationException | FileSystemException e) {
      assumeTrue(false, "no links here");
    }
    FileOptions options = FileOptions.none().classPath("public", loader);
    assertEquals("200 secret", outcome("/out.txt", options));
    assertEquals("404 ENOENT", outcome("/out.txt", options.symlinks(false)));
    assertEquals("200 tobi", outcome("/in.txt", options.symlinks(false)));
    assertEquals("200 - groceries", outcome("/users/in.txt", options.symlinks(false)));
  }

  private String outcome(String path, FileOptions options) {
    return outcome(FakeExchange.of("GET", "/"), path, options);
  }

  private String outcome(FakeExchange exchange, String path, FileOptions options) {
    passed = "";
    Next next =
        new Next() {
          @Override
          public void run() {
            passed = "next";
          }

          @Override
          public void fail(Throwable error) {
            HttpError http = (HttpError) error;
            passed = http.status() + " " + http.field("code");
          }

          @Override
          public void route() {
            throw new IllegalStateException();
          }
        };
    exchange.response().sendFile(path, options, next);
    return passed.isEmpty() ? exchange.status + " " + exchange.body() : passed;
  }

  private URLClassLoader loader(Kind kind) throws IOException {
    Path place =
        folder.resolve("classes" + loaders.size() + (kind == Kind.DIRECTORY ? "" : ".jar"));
    if (kind == Kind.DIRECTORY) {
      for (Map.Entry<String, String> one : resources.entrySet()) {
        Path file = place.resolve(one.getKey());
        Files.createDirectories(file.getParent());
        Files.writeString(file, one.getValue());
        Files.setLastModifiedTime(file, TIME);
      }
    } else {
      writeJar(place, kind == Kind.JAR);
    }
    URLClassLoader loader = new URLClassLoader(new URL[] {place.toUri().toURL()}, null);
    loaders.add(loader);
    return loader;
  }

  private void writeJar(Path place, boolean folders) throws IOException {
    try (OutputStream file = Files.newOutputStream(place);
        ZipOutputStream jar = new ZipOutputStream(file)) {
      if (folders) {
        jar.putNextEntry(new ZipEntry("public/"));
        jar.putNextEntry(new ZipEntry("public/users/"));
      }
      for (Map.Entry<String, String> one : resources.entrySet()) {
        jar.putNextEntry(new ZipEntry(one.getKey()).setLastModifiedTime(TIME));
        jar.write(one.getValue().getBytes(StandardCharsets.UTF_8));
      }
    }
  }
}

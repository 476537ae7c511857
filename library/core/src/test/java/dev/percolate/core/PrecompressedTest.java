package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.http.HttpError;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PrecompressedTest {

  @TempDir private Path folder;
  private FileOptions options = FileOptions.none();
  private @Nullable Throwable failure;

  @BeforeEach
  void fill() throws Exception {
    for (String name : new String[] {"app.js", "app.js.br", "app.js.gz", "app.js.zst", "b.css"}) {
      Files.writeString(folder.resolve(name), "of " + name);
    }
    Files.createDirectories(folder.resolve("b.css.gz"));
    Files.writeString(folder.resolve("lone.txt.gz"), "lone");
    options = options.root(folder).precompressed("br", "zst", "gz");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip, deflate, br, zstd|br|of app.js.br",
        "zstd, gzip|zstd|of app.js.zst",
        "gzip|gzip|of app.js.gz",
        "br;q=0.2, gzip;q=0.8|gzip|of app.js.gz",
        "br;q=0, *|zstd|of app.js.zst",
        "identity;q=0, gzip|gzip|of app.js.gz",
        "identity, gzip;q=0.5||of app.js",
        "deflate||of app.js",
        "''||of app.js"
      })
  void acceptEncodingSelectsAnExistingFile(String accepted, @Nullable String coding, String body) {
    FakeExchange exchange = sent("app.js", options, "Accept-Encoding", accepted);
    assertEquals(body, exchange.body());
    assertEquals(coding, exchange.header("Content-Encoding"));
    assertEquals("Accept-Encoding", exchange.header("Vary"));
    assertEquals("text/javascript; charset=utf-8", exchange.header("Content-Type"));
    assertEquals("" + body.length(), exchange.header("Content-Length"));
  }

  @Test
  void withoutAHeaderOrCompressedFilesThePlainFileIsSentWithVary() {
    FakeExchange exchange = sent("app.js", options);
    assertEquals("of app.js Accept-Encoding", exchange.body() + " " + exchange.header("Vary"));
    exchange = sent("b.css", options, "Accept-Encoding", "br, gzip");
    assertEquals("of b.css Accept-Encoding", exchange.body() + " " + exchange.header("Vary"));
    assertNull(exchange.header("Content-Encoding"));
    exchange = sent("app.js", FileOptions.none().root(folder), "Accept-Encoding", "br");
    assertEquals("of app.js null", exchange.body() + " " + exchange.header("Vary"));
  }

  @Test
  void entityTagsAndRangesAreThoseOfTheCompressedFile() {
    String plain = String.valueOf(sent("app.js", options).header("ETag"));
    FakeExchange exchange =
        sent("app.js", options, "Accept-Encoding", "br", "If-None-Match", plain);
    String tag = String.valueOf(exchange.header("ETag"));
    assertEquals(200, exchange.status);
    assertNotEquals(plain, tag);
    exchange = sent("app.js", options, "Accept-Encoding", "br", "If-None-Match", tag);
    assertEquals("304 Accept-Encoding", exchange.status + " " + exchange.header("Vary"));
    assertNull(exchange.header("Content-Encoding"));
    exchange = sent("app.js", options, "Accept-Encoding", "br", "Range", "bytes=10-");
    assertEquals(
        "206 br bytes 10-11/12",
        exchange.status + " " + exchange.body() + " " + exchange.header("Content-Range"));
    assertEquals("br", exchange.header("Content-Encoding"));
  }

  @Test
  void anErrorPageIsNotEncoded() {
    FakeExchange exchange =
        FakeExchange.of("GET", "/", "Accept-Encoding", "br", "Range", "bytes=12-");
    Response res = exchange.response();
    assertThrows(HttpError.class, () -> res.sendFile(Path.of("app.js"), options));
    assertNull(res.get("Content-Encoding"));
    assertEquals("bytes */12", res.get("Content-Range"));
  }

  @Test
  void aCompressedFileWithoutAPlainFileNeedsItsOwnName() {
    FakeExchange exchange = sent("app.js.gz", options, "Accept-Encoding", "gzip");
    assertEquals("of app.js.gz null", exchange.body() + " " + exchange.header("Content-Encoding"));
    sent("lone.txt", options, "Accept-Encoding", "gzip");
    assertEquals(404, failure instanceof HttpError http ? http.status() : 0);
  }

  @Test
  void partsAndEncodedContentUseThePlainFile() {
    assertEquals("f ap", sent("app.js", options.start(1).end(4), "Accept-Encoding", "br").body());
    FakeExchange exchange = FakeExchange.of("GET", "/", "Accept-Encoding", "br");
    exchange.response().set("Content-Encoding", "gzip").sendFile(Path.of("app.js"), options);
    assertEquals("of app.js gzip", exchange.body() + " " + exchange.header("Content-Encoding"));
  }

  @Test
  void theHookGetsThePlainNameAndTheSizeOfTheSentFile() {
    FileOptions hooked =
        options.headers(
            (res, file, facts) -> res.set("X", file.getFileName() + " " + facts.size()));
    assertEquals("app.js 12", sent("app.js", hooked, "Accept-Encoding", "br").header("X"));
  }

  @Test
  void linksOutOfTheRootAreNotUsedAsCompressedFiles() throws Exception {
    Path root = Files.createDirectories(folder.resolve("sub"));
    Files.writeString(root.resolve("c.txt"), "plain");
    try {
      Files.createSymbolicLink(root.resolve("c.txt.gz"), folder.resolve("app.js"));
    } catch (UnsupportedOperationException | FileSystemException e) {
      assumeTrue(false, "no links here");
    }
    FileOptions bound = options.root(root).symlinks(false);
    assertEquals("plain", sent("c.txt", bound, "Accept-Encoding", "gzip").body());
  }

  @Test
  void otherExtensionsAreRejected() {
    FileOptions none = FileOptions.none();
    assertEquals(
        "precompressed must be br, zst or gz, was \"zip\"",
        assertThrows(IllegalArgumentException.class, () -> none.precompressed("gz", "zip"))
            .getMessage());
  }

  private FakeExchange sent(String path, FileOptions options, String... headers) {
    FakeExchange exchange = FakeExchange.of("GET", "/", headers);
    Next next =
        new Next() {
          @Override
          public void run() {}

          @Override
          public void fail(Throwable error) {
            failure = error;
          }

          @Override
          public void route() {}
        };
    exchange.response().sendFile(path, options, next);
    return exchange;
  }
}

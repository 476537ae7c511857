package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.http.Headers;
import dev.percolate.http.HttpDate;
import dev.percolate.http.HttpError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Headers of files, and preconditions: RFC 9110 sections 8, 13 and 15.4.5. */
final class FileHeadersTest {

  private static final FileOptions NONE = FileOptions.none();
  private static final String DATE = "Thu, 02 Jan 2020 03:04:05 GMT";
  private static final String TAG = "W/\"b-16f6435cc88\"";

  @TempDir private Path folder;
  private Path file = Path.of("");

  @BeforeEach
  void write() throws Exception {
    file = file("todo.txt");
  }

  @Test
  void theHeadersDescribeTheFile() {
    FakeExchange exchange = sent(FakeExchange.of("GET", "/"), NONE);
    assertEquals("bytes", exchange.header("Accept-Ranges"));
    assertEquals("public, max-age=0", exchange.header("Cache-Control"));
    assertEquals(DATE, exchange.header("Last-Modified"));
    assertEquals(TAG, exchange.header("ETag"));
    assertEquals("text/plain; charset=utf-8", exchange.header("Content-Type"));
    assertEquals("11", exchange.header("Content-Length"));
  }

  @Test
  void maxAgeIsSentInWholeSeconds() {
    FakeExchange exchange = sent(FakeExchange.of("GET", "/"), NONE.maxAge(90_999));
    assertEquals("public, max-age=90", exchange.header("Cache-Control"));
    exchange = sent(FakeExchange.of("GET", "/"), NONE.maxAge("1 year").immutable(true));
    assertEquals("public, max-age=31536000, immutable", exchange.header("Cache-Control"));
  }

  @Test
  void tagAndDateCanBeDisabled() {
    FakeExchange exchange = sent(FakeExchange.of("GET", "/"), NONE.etag(false).lastModified(false));
    assertNull(exchange.header("ETag"));
    assertNull(exchange.header("Last-Modified"));
    exchange = sent(FakeExchange.of("GET", "/", "If-None-Match", TAG), NONE.etag(false));
    assertEquals(200, exchange.status);
  }

  @Test
  void lastModifiedIsNeverInTheFuture() throws Exception {
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    Files.setLastModifiedTime(file, FileTime.from(now.plusSeconds(86_400)));
    String modified = sent(FakeExchange.of("GET", "/"), NONE).header("Last-Modified");
    long millis = Objects.requireNonNull(HttpDate.parse(modified));
    assertTrue(millis >= now.toEpochMilli(), modified);
    assertTrue(millis <= System.currentTimeMillis(), modified);
  }

  @Test
  void headersThatAreAlreadySetAreKept() {
    FakeExchange exchange = FakeExchange.of("GET", "/");
    Response res = exchange.response();
    res.set("Content-Type", "text/x-mine").set("Cache-Control", "no-store");
    res.set("Last-Modified", "own").set("ETag", "\"own\"").set("Accept-Ranges", "none");
    res.status(203).sendFile(file);
    assertEquals("text/x-mine", exchange.header("Content-Type"));
    assertEquals("no-store", exchange.header("Cache-Control"));
    assertEquals("own", exchange.header("Last-Modified"));
    assertEquals("\"own\"", exchange.header("ETag"));
    assertEquals("none", exchange.header("Accept-Ranges"));
    assertEquals(203, exchange.status);
  }

  @Test
  void headersOfTheHookAreKept() {
    FileOptions options =
        NONE.headers(
            (res, path, attributes) ->
                res.set("X-File", path.getFileName() + " " + attributes.size() + res.get("ETag"))
                    .set("Cache-Control", "private"));
    FakeExchange exchange = sent(FakeExchange.of("GET", "/"), options);
    assertEquals("todo.txt 11null", exchange.header("X-File"));
    assertEquals("private", exchange.header("Cache-Control"));
  }

  @ParameterizedTest
  @CsvSource({
    "a.json,application/json; charset=koi8-r",
    "a.txt,text/plain; charset=utf-8",
    "html,application/octet-stream; charset=koi8-r",
    "a.tar.gz,application/gzip; charset=koi8-r",
    "A.PNG,image/png; charset=koi8-r"
  })
  void theCharsetOfTheResponseIsForTypesOtherThanText(String name, String type) throws Exception {
    FakeExchange exchange = FakeExchange.of("GET", "/");
    exchange.response().charset("koi8-r").sendFile(file(name));
    assertEquals(type, exchange.header("Content-Type"));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "If-None-Match,W/\"b-16f6435cc88\",304",
        "If-None-Match,`\"x\", W/\"b-16f6435cc88\"`,304",
        "If-None-Match,*,304",
        "If-None-Match,\"b-16f6435cc88\",304",
        "If-None-Match,\"other\",200",
        "If-Modified-Since,`Thu, 02 Jan 2020 03:04:05 GMT`,304",
        "If-Modified-Since,`Thu, 02 Jan 2020 03:04:04 GMT`,200",
        "If-Modified-Since,never,200",
        "If-Match,*,200",
        "If-Unmodified-Since,`Thu, 02 Jan 2020 03:04:05 GMT`,200",
        "If-Unmodified-Since,never,200"
      })
  void aFileThatTheClientHasIsNotSentAgain(String name, String value, int status) {
    for (String method : new String[] {"GET", "HEAD"}) {
      assertEquals(status, sent(FakeExchange.of(method, "/", name, value), NONE).status);
    }
    assertEquals(200, sent(FakeExchange.of("POST", "/", name, value), NONE).status);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "If-Match,\"other\"",
        "If-Match,W/\"b-16f6435cc88\"",
        "If-Unmodified-Since,`Thu, 02 Jan 2015 03:04:05 GMT`"
      })
  void anotherVersionIs412WithoutTheHeadersOfTheFile(String name, String value) {
    for (String method : new String[] {"GET", "HEAD"}) {
      Response res = FakeExchange.of(method, "/", name, value).response();
      res.set("Content-Disposition", "attachment").set("X-Other", "1");
      assertEquals(412, assertThrows(HttpError.class, () -> res.sendFile(file)).status());
      assertEquals("X-Other: 1\n", res.headers().toString());
      assertFalse(res.headersSent());
    }
    assertEquals(200, sent(FakeExchange.of("POST", "/", name, value), NONE).status);
  }

  @Test
  void aTagTakesPrecedenceOverADateAndNoCacheIsIgnored() {
    String older = "Wed, 01 Jan 2020 00:00:00 GMT";
    FakeExchange exchange =
        FakeExchange.of("GET", "/", "If-None-Match", TAG, "If-Modified-Since", older);
    assertEquals(304, sent(exchange, NONE).status);
    exchange = FakeExchange.of("GET", "/", "If-None-Match", "\"x\"", "If-Modified-Since", DATE);
    assertEquals(200, sent(exchange, NONE).status);
    exchange = FakeExchange.of("GET", "/", "If-None-Match", TAG, "Cache-Control", "no-cache");
    assertEquals(304, sent(exchange, NONE).status);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "GET,If-None-Match,\"b-16f6435cc88\",200",
        "POST,If-None-Match,W/\"b-16f6435cc88\",304",
        "GET,If-Match,\"other\",200",
        "GET,If-Unmodified-Since,`Thu, 02 Jan 2015 03:04:05 GMT`,200"
      })
  void aSettingSelectsTheRulesOfExpress(String method, String name, String value, int status) {
    FakeExchange exchange =
        FakeExchange.of(method, "/", name, value).setting("conditional requests", "express");
    assertEquals(status, sent(exchange, NONE).status);
    exchange =
        FakeExchange.of("GET", "/", "If-None-Match", TAG, "Cache-Control", "no-cache")
            .setting("conditional requests", "express");
    assertEquals(200, sent(exchange, NONE).status);
  }

  @Test
  void conditionsApplyOnlyToStatusesBelow400() {
    for (int status : new int[] {201, 304, 500, 404}) {
      FakeExchange exchange = FakeExchange.of("GET", "/", "If-None-Match", "*");
      exchange.response().status(status).sendFile(file);
      assertEquals(status < 400 ? 304 : status, exchange.status);
    }
  }

  @Test
  void firefoxContinuesADownloadWithTheWeakTagAndTheDate() throws Exception {
    String[] resumed = {"Range", "bytes=5-", "If-Match", TAG, "If-Unmodified-Since", DATE};
    assertEquals(206, sent(FakeExchange.of("GET", "/", resumed), NONE).status);
    resumed[5] = "Thu, 02 Jan 2020 03:04:06 GMT";
    assertThrows(HttpError.class, () -> sent(FakeExchange.of("GET", "/", resumed), NONE));
    String[] undated = {"Range", "bytes=5-", "If-Match", TAG};
    assertThrows(HttpError.class, () -> sent(FakeExchange.of("GET", "/", undated), NONE));
  }

  @Test
  void a304KeepsOnlyTheLocationOfTheContentHeaders() {
    FakeExchange exchange = FakeExchange.of("GET", "/", "If-None-Match", "*");
    Response res = exchange.response();
    res.set("Content-Language", "en").set("content-disposition", "inline").set("X-Other", "1");
    res.append("Content-Security-Policy", "a").append("Content-Security-Policy", "b");
    res.set("Content-Location", "/here").sendFile(file);
    assertEquals(304, exchange.status);
    assertEquals("", exchange.body());
    for (String name :
        new String[] {
          "Content-Language", "Content-Disposition", "Content-Type", "Content-Length"
        }) {
      assertNull(exchange.header(name), name);
    }
    assertEquals(List.of("a", "b"), headers(exchange).all("Content-Security-Policy"));
    assertEquals("/here 1", exchange.header("Content-Location") + " " + exchange.header("X-Other"));
    assertEquals(TAG, exchange.header("ETag"));
    assertEquals(DATE, exchange.header("Last-Modified"));
  }

  private static Headers headers(FakeExchange exchange) {
    return Objects.requireNonNull(exchange.headers);
  }

  private FakeExchange sent(FakeExchange exchange, FileOptions options) {
    exchange.response().sendFile(file, options);
    return exchange;
  }

  private Path file(String name) throws Exception {
    Path made = Files.writeString(folder.resolve(name), "- groceries");
    return Files.setLastModifiedTime(made, FileTime.from(Instant.parse("2020-01-02T03:04:05Z")));
  }
}

package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.http.HttpError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges of files: RFC 9110 sections 13.1.5, 14.2, 15.3.7 and 15.5.17. */
final class FileRangeTest {

  private static final FileOptions NONE = FileOptions.none();

  @TempDir private Path folder;
  private Path file = Path.of("");

  @BeforeEach
  void write() throws Exception {
    file = Files.writeString(folder.resolve("nums"), "123456789");
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2020-01-02T03:04:05Z")));
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=0-4,0-4,12345",
    "bytes=0-0,0-0,1",
    "bytes=-3,6-8,789",
    "bytes=3-,3-8,456789",
    "bytes=2-50,2-8,3456789",
    "bytes=8-99999999999999999999,8-8,9",
    "bytes=-20,0-8,123456789",
    "Bytes=1-2,1-2,23",
    "'bytes=0-1,50-60',0-1,12"
  })
  void oneRangeIsSentAlone(String range, String sent, String body) {
    FakeExchange exchange = sent(NONE, "Range", range);
    assertEquals(206, exchange.status);
    assertEquals("bytes " + sent + "/9", exchange.header("Content-Range"));
    assertEquals(body, exchange.body());
    assertEquals("" + body.length(), exchange.header("Content-Length"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "asdf",
        "bytes 0-3",
        "bytes =0-3",
        "bytes=0-1,3-4",
        "bytes=0-0,-1",
        "lines=0-1",
        "=0-1"
      })
  void severalRangesOrAnotherUnitSendTheWholeFile(String range) {
    FakeExchange exchange = sent(NONE, "Range", range);
    assertEquals("200 123456789", exchange.status + " " + exchange.body());
    assertNull(exchange.header("Content-Range"));
  }

  @Test // STA-12
  void manyRangesSendTheFileOnce() {
    String range = "bytes=" + "0-,".repeat(1300) + "0-";
    assertEquals("123456789", sent(NONE, "Range", range).body());
  }

  @ParameterizedTest // STA-13
  @ValueSource(
      strings = {
        "bytes=9-50",
        "bytes=20-",
        "bytes=5-2",
        "bytes=x-y",
        "bytes=-0",
        "bytes=",
        "bytes=9-10,50-60",
        "bytes=18446744073709551615-",
        "bytes=9223372036854775807-9223372036854775807"
      })
  void aRangeOutsideOfTheFileIs416AndTheResponseStaysOpen(String range) {
    FakeExchange exchange = FakeExchange.of("GET", "/", "Range", range);
    Response res = exchange.response();
    assertEquals(416, assertThrows(HttpError.class, () -> res.sendFile(file)).status());
    assertEquals("Content-Range: bytes */9\n", res.headers().toString());
    res.send(416, "no");
    assertEquals("416 no", exchange.status + " " + exchange.body());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "\"v1\",206",
        "W/\"v1\",200",
        "`\"x\", \"v1\"`,200",
        "\"other\",200",
        "`Thu, 02 Jan 2020 03:04:05 GMT`,206",
        "`Fri, 03 Jan 2020 00:00:00 GMT`,200",
        "`Wed, 01 Jan 2020 00:00:00 GMT`,200",
        "soon,200",
        "``,200"
      })
  void ifRangeMustMatchTheFile(String condition, int status) {
    FakeExchange exchange =
        FakeExchange.of("GET", "/", "Range", "bytes=0-2", "If-Range", condition);
    exchange.response().set("ETag", "\"v1\"").sendFile(file);
    assertEquals(status, exchange.status);
  }

  @Test
  void ifRangeFailsWithoutAMatchingStrongValidator() {
    String date = "Thu, 02 Jan 2020 03:04:05 GMT";
    assertEquals(
        200, sent(NONE.lastModified(false), "Range", "bytes=0-2", "If-Range", date).status);
    assertEquals(200, sent(NONE.etag(false), "Range", "bytes=0-2", "If-Range", "\"\"").status);
    assertEquals(200, sent(NONE, "Range", "bytes=99-", "If-Range", "\"other\"").status);
    String weak = "W/\"9-16f6435cc88\"";
    assertEquals(200, sent(NONE, "Range", "bytes=0-2", "If-Range", weak).status);
  }

  @ParameterizedTest
  @ValueSource(ints = {201, 203, 206, 404, 500})
  void aRangeAppliesOnlyToStatus200(int status) {
    FakeExchange exchange = FakeExchange.of("GET", "/", "Range", "bytes=0-1");
    exchange.response().status(status).sendFile(file);
    assertEquals(status + " 123456789", exchange.status + " " + exchange.body());
    assertNull(exchange.header("Content-Range"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"HEAD", "POST", "PUT", "get"})
  void aRangeAppliesOnlyToGet(String method) {
    for (String range : new String[] {"bytes=0-1", "bytes=99-"}) {
      FakeExchange exchange = FakeExchange.of(method, "/", "Range", range);
      exchange.response().sendFile(file);
      assertEquals(200, exchange.status);
      assertEquals("9", exchange.header("Content-Length"));
      assertNull(exchange.header("Content-Range"));
    }
  }

  @Test
  void severalRangeHeadersAreIgnored() {
    FakeExchange exchange = sent(NONE, "Range", "bytes=0-1", "Range", "bytes=0-1");
    assertEquals("200 123456789", exchange.status + " " + exchange.body());
  }

  @Test
  void preconditionsAreEvaluatedBeforeARange() {
    String date = "Thu, 02 Jan 2020 03:04:05 GMT";
    assertEquals(304, sent(NONE, "Range", "bytes=0-1", "If-Modified-Since", date).status);
    assertEquals(304, sent(NONE, "Range", "bytes=99-", "If-None-Match", "*").status);
    Response res =
        FakeExchange.of("GET", "/", "Range", "bytes=5-", "If-Match", "\"old\"").response();
    assertEquals(412, assertThrows(HttpError.class, () -> res.sendFile(file)).status());
    assertEquals("", res.headers().toString());
  }

  @Test
  void aSuffixOfAnEmptyFileSendsTheWholeFile() throws Exception {
    Files.write(file, new byte[0]);
    FakeExchange exchange = sent(NONE, "Range", "bytes=-5");
    assertEquals("200 0", exchange.status + " " + exchange.header("Content-Length"));
  }

  @ParameterizedTest
  @CsvSource({
    "201,bytes=0-1,206",
    "200,lines=0-1,206",
    "200,bytes=-20,416",
    "200,'bytes=0-1,50-60',416"
  })
  void aSettingSelectsTheRulesOfExpress(int before, String range, int status) {
    FakeExchange exchange =
        FakeExchange.of("GET", "/", "Range", range).setting("conditional requests", "express");
    Response res = exchange.response().status(before);
    if (status == 416) {
      assertEquals(416, assertThrows(HttpError.class, () -> res.sendFile(file)).status());
      assertEquals("W/\"9-16f6435cc88\"", res.get("ETag"));
      assertEquals("public, max-age=0", res.get("Cache-Control"));
    } else {
      res.sendFile(file);
      assertEquals(status, exchange.status);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2,5,,200,3456,",
    "2,99,,200,3456789,",
    "9,99,,200,'',",
    "50,60,,200,'',",
    "5,2,,200,'',",
    "2,5,bytes=1-2,206,45,bytes 1-2/4",
    "2,5,bytes=-1,206,6,bytes 3-3/4",
    "2,5,bytes=4-,416,,bytes */4"
  })
  void rangesAreRelativeToThePartSetByTheOptions(
      long start, long end, String range, int status, String body, String contentRange) {
    FakeExchange exchange = FakeExchange.of("GET", "/");
    if (range != null) {
      exchange = FakeExchange.of("GET", "/", "Range", range);
    }
    Response res = exchange.response();
    FileOptions options = NONE.start(start).end(end);
    if (status == 416) {
      assertThrows(HttpError.class, () -> res.sendFile(file, options));
    } else {
      res.sendFile(file, options);
      assertEquals(status + " " + body, exchange.status + " " + exchange.body());
      assertEquals("" + body.length(), exchange.header("Content-Length"));
    }
    assertEquals(contentRange, res.get("Content-Range"));
  }

  private FakeExchange sent(FileOptions options, String... headers) {
    FakeExchange exchange = FakeExchange.of("GET", "/", headers);
    exchange.response().sendFile(file, options);
    return exchange;
  }
}

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
    "items=1-2,1-2,23"
  })
  void oneRangeIsSentAlone(String range, String sent, String body) {
    FakeExchange exchange = sent(NONE, "Range", range);
    assertEquals(206, exchange.status);
    assertEquals("bytes " + sent + "/9", exchange.header("Content-Range"));
    assertEquals(body, exchange.body());
    assertEquals("" + body.length(), exchange.header("Content-Length"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "asdf", "bytes 0-3", "bytes=0-1,3-4", "bytes=0-0,-1"})
  void severalRangesOrNoneGiveTheWhole(String range) {
    FakeExchange exchange = sent(NONE, "Range", range);
    assertEquals("200 123456789", exchange.status + " " + exchange.body());
    assertNull(exchange.header("Content-Range"));
  }

  @Test // STA-12
  void manyRangesGiveTheFileOnce() {
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
        "bytes=-20",
        "bytes=-0",
        "bytes=",
        "bytes=0-1,50-60",
        "bytes=18446744073709551615-",
        "bytes=9223372036854775807-9223372036854775807"
      })
  void aRangeThatIsNotThereIs416AndTheAnswerStaysOpen(String range) {
    FakeExchange exchange = FakeExchange.of("GET", "/", "Range", range);
    Response res = exchange.response();
    assertEquals(416, assertThrows(HttpError.class, () -> res.sendFile(file)).status());
    assertEquals("bytes */9", res.get("Content-Range"));
    assertEquals("W/\"9-16f6435cc88\"", res.get("ETag"));
    assertEquals("bytes", res.get("Accept-Ranges"));
    assertNull(res.get("Content-Length"));
    res.send(416, "no");
    assertEquals("416 no", exchange.status + " " + exchange.body());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "W/\"9-16f6435cc88\",206",
        "`\"x\", W/\"9-16f6435cc88\"`,206",
        "\"9-16f6435cc88\",200",
        "\"other\",200",
        "`Thu, 02 Jan 2020 03:04:05 GMT`,206",
        "`Fri, 03 Jan 2020 00:00:00 GMT`,206",
        "`Wed, 01 Jan 2020 00:00:00 GMT`,200",
        "soon,200",
        "``,206"
      })
  void ifRangeMustNameTheFile(String condition, int status) {
    assertEquals(status, sent(NONE, "Range", "bytes=0-2", "If-Range", condition).status);
  }

  @Test
  void ifRangeFailsWithoutWhatItNames() {
    String date = "Fri, 03 Jan 2020 00:00:00 GMT";
    assertEquals(
        200, sent(NONE.lastModified(false), "Range", "bytes=0-2", "If-Range", date).status);
    assertEquals(200, sent(NONE.etag(false), "Range", "bytes=0-2", "If-Range", "\"\"").status);
    assertEquals(200, sent(NONE, "Range", "bytes=99-", "If-Range", "\"other\"").status);
  }

  @Test
  void aRangeReplacesAnEarlierStatus() {
    FakeExchange exchange = FakeExchange.of("GET", "/", "Range", "bytes=0-1");
    exchange.response().status(201).sendFile(file);
    assertEquals(206, exchange.status);
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
    "2,5,bytes=4-,416,,bytes */9"
  })
  void rangesCountInsideThePartThatTheOptionsChoose(
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

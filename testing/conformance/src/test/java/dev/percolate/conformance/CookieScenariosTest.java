package dev.percolate.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests rules for cookies in {@code behaviour/middleware.md} that no recording shows. */
final class CookieScenariosTest {

  @TempDir Path folder;

  private void assertAgrees(String scenario) throws IOException, InterruptedException {
    Path file = folder.resolve("own.json");
    Files.writeString(file, "[" + scenario + "]");
    List<Scenario> all = Scenario.read(file);
    assertEquals(1, all.size());
    try (Player player = new Player(new MemoryCalls())) {
      assertNull(player.play(all.get(0)).difference());
    }
  }

  @Test
  void aDecoderOfTheCookieParserReplacesPercentDecoding() throws Exception {
    assertAgrees(
        """
        {"id": "own/decode", "app": [
          ["use", {"middleware": ["cookieParser", null,
            {"decode": {"$fn": [["return", {"$concat": ["<", {"$": "text"}, ">"]}]],
              "params": ["text"]}}]}],
          ["use", {"handler": [["res.send", {"$": "req.cookies"}]]}]],
         "requests": [{"headers": {"Cookie": "a=b%20c; d=\\"e\\""}}],
         "ignore": ["etag"],
         "expect": [{"status": 200, "headers": {"content-length": "25",
           "content-type": "application/json; charset=utf-8"},
           "body": "{\\"a\\":\\"<b%20c>\\",\\"d\\":\\"<e>\\"}"}], "log": []}
        """);
  }

  @Test
  void aValueForWhichTheDecoderThrowsIsUnchanged() throws Exception {
    assertAgrees(
        """
        {"id": "own/decode-throws", "app": [
          ["use", {"middleware": ["cookieParser", null,
            {"decode": {"$fn": [["throw", {"$error": {"message": "no"}}]], "params": ["text"]}}]}],
          ["use", {"handler": [["res.send", {"$": "req.cookies"}]]}]],
         "requests": [{"headers": {"Cookie": "a=b%20c"}}],
         "ignore": ["etag"],
         "expect": [{"status": 200, "headers": {"content-length": "13",
           "content-type": "application/json; charset=utf-8"},
           "body": "{\\"a\\":\\"b%20c\\"}"}], "log": []}
        """);
  }

  @Test
  void theCookieOfACookieSessionIsReadAndChanged() throws Exception {
    assertAgrees(
        """
        {"id": "own/cookie-session-cookie", "app": [
          ["use", {"middleware": ["cookieParser"]}],
          ["use", {"middleware": ["cookieSession", {"secret": "cs"}]}],
          ["use", {"handler": [
            ["assign", "req.session.name", "liz"],
            ["assign", "req.session.cookie.path", "/in"],
            ["assign", "req.session.cookie.httpOnly", false],
            ["assign", "req.session.cookie.domain", "x.test"],
            ["assign", "req.session.cookie.expires", {"$date": "2041-01-02T03:04:05Z"}],
            ["res.send", {"$concat": [{"$": "req.session.cookie.path"}, " ",
              {"$": "req.session.name"}]}]]}]],
         "requests": [{}],
         "ignore": ["etag"],
         "expect": [{"status": 200, "headers": {"content-length": "7",
           "content-type": "text/html; charset=utf-8",
           "set-cookie": "connect.sess=s%3Aj%3A%7B%22name%22%3A%22liz%22%7D.fblZLflmssHDMgoEi593i1tPvbKsWvmzGBcBb69SWsM; Domain=x.test; Path=/in; Expires=Wed, 02 Jan 2041 03:04:05 GMT"},
           "body": "/in liz"}], "log": []}
        """);
  }

  @Test
  void theAttributesOfASessionsCookieAreChanged() throws Exception {
    assertAgrees(
        """
        {"id": "own/session-cookie", "app": [
          ["use", {"middleware": ["session", {"secret": "ss",
            "genid": {"$fn": [["return", "a"]], "params": ["req"]}}]}],
          ["use", {"handler": [
            ["assign", "req.session.cookie.path", "/in"],
            ["assign", "req.session.cookie.httpOnly", false],
            ["assign", "req.session.cookie.domain", "x.test"],
            ["res.send", "x"]]}]],
         "requests": [{}],
         "ignore": ["etag"],
         "expect": [{"status": 200, "headers": {"content-length": "1",
           "content-type": "text/html; charset=utf-8",
           "set-cookie": "connect.sid=s%3Aa.o0d%2F0QLkZhbLaSfFUivKPsfjTihh1CINimvm6ZJUgcE; Domain=x.test; Path=/in"},
           "body": "x"}], "log": []}
        """);
  }
}

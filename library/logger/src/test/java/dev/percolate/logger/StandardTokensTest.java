package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StandardTokensTest {

  private final Lines lines = new Lines();

  private static String user(String authorization) {
    return Lines.of(":remote-user", "/", "Authorization", authorization);
  }

  private static String basic(String pair) {
    byte[] bytes = pair.getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(bytes);
  }

  private String answered(String format, Handler handler) {
    lines.all.clear();
    new Visit("/").through(lines.logger(format), handler);
    return lines.only();
  }

  @Test
  void statusIsThatOfTheAnswerAndAbsentBeforeIt() {
    RequestLogger logger = lines.logger(":status");
    Handler teapot = (req, res) -> res.status(418).send("no");
    new Visit("/").through(logger.immediate(true), logger, teapot);
    assertEquals(List.of("-\n", "418\n"), lines.all);
  }

  @Test
  void resJoinsSeveralValuesAndMindsNoLetterCase() {
    Handler cookies =
        (req, res) -> res.append("Set-Cookie", "a=1").append("Set-Cookie", "b=\"2\"").send("ok");
    assertEquals("a=1, b=\\\"2\\\"", answered(":res[set-COOKIE]", cookies));
  }

  @Test
  void resOfAbsentRemovedOrEmptyHeadersIsAHyphen() {
    Handler handler = (req, res) -> res.set("A", "x").remove("A").set("B", "").send("ok");
    assertEquals("- - -", answered(":res[a] :res[b] :res[c]", handler));
  }

  @Test
  void aLengthOfZeroIsWritten() {
    assertEquals("0", answered(":res[content-length]", (req, res) -> res.send("")));
  }

  @Test
  void headAnswersKeepTheirLengthAnd204HasNone() {
    assertEquals("2", Lines.of(":res[content-length]", Visit.of("HEAD", "/")));
    assertEquals(
        "204 -", answered(":status :res[content-length]", (req, res) -> res.send(204, "")));
  }

  @Test
  void resWithoutArgumentIsAnErrorOnceTheHeadIsOut() {
    RequestLogger logger = lines.logger(":res");
    new Visit("/").through(logger.immediate(true), logger, Lines.OK);
    assertEquals("-", lines.only());
    assertEquals(1, logger.failedLines());
  }

  @Test
  void reqIsAbsentWhenMissingOrEmptyAndItsNameIsNotTrimmed() {
    assertEquals(
        "v - - -",
        Lines.of(
            ":req[x-IN] :req[x-empty] :req[x-none] :req[ X-In]", "/", "X-In", "v", "X-Empty", ""));
  }

  @Test
  void reqWithoutArgumentIsAnError() {
    RequestLogger logger = lines.logger(":req");
    new Visit("/").through(logger, Lines.OK);
    assertEquals(1, logger.failedLines());
  }

  @Test
  void repeatedRequestHeadersAreJoinedOrTheFirstCounts() {
    assertEquals("a, b", Lines.of(":req[x-many]", "/", "X-Many", "a", "x-many", "b"));
    assertEquals("a; b", Lines.of(":req[Cookie]", "/", "Cookie", "a", "Cookie", "b"));
    assertEquals("a, b", Lines.of(":req[set-cookie]", "/", "Set-Cookie", "a", "Set-Cookie", "b"));
    for (String single :
        List.of(
            "User-Agent",
            "Referer",
            "Host",
            "Authorization",
            "From",
            "Content-Type",
            "Content-Length",
            "Max-Forwards",
            "Proxy-Authorization",
            "Location",
            "Retry-After",
            "Expires",
            "Last-Modified",
            "ETag",
            "Age",
            "Server",
            "If-Modified-Since",
            "If-Unmodified-Since")) {
      assertEquals("a", Lines.of(":req[" + single + "]", "/", single, "a", single, "b"), single);
    }
  }

  @Test
  void requestHeadersAreReadWhenTheLineIsMade() {
    assertEquals(
        "changed",
        answered(
            ":req[x]",
            (req, res) -> {
              req.headers().set("X", "changed");
              res.send("ok");
            }));
  }

  @Test
  void methodShowsAnOverrideAndUrlNoRewriting() {
    Middleware rewriting =
        (req, res, next) -> {
          req.method("PATCH");
          req.url("/other");
          next.run();
        };
    new Visit("/a%20b?q=1").through(lines.logger(":method :url"), rewriting, Lines.OK);
    assertEquals("PATCH /a%20b?q=1", lines.only());
  }

  @Test
  void anAbsoluteTargetIsLoggedAsSentAndAnEmptyOneByItsUrl() {
    assertEquals("http://h/x", Lines.of(":url", "http://h/x"));
    Middleware named =
        (req, res, next) -> {
          req.url("/now");
          next.run();
        };
    new Visit("").through(lines.logger(":url"), named, Lines.OK);
    assertEquals("/now", lines.only());
  }

  @Test
  void httpVersionIsThatOfTheRequest() {
    Visit old = new Visit("/");
    old.exchange.httpVersion("1.0");
    assertEquals("1.0", Lines.of(":http-version", old));
  }

  @Test
  void refererIsPreferredToReferrerUnlessEmpty() {
    assertEquals("a", Lines.of(":referrer", "/", "Referrer", "b", "Referer", "a"));
    assertEquals("b", Lines.of(":referrer", "/", "Referrer", "b", "Referer", ""));
    assertEquals("b - b", Lines.of(":referrer :req[referer] :req[referrer]", "/", "Referrer", "b"));
  }

  @Test
  void dateHasThreeForms() {
    assertEquals(
        "10/Oct/2000:13:55:36 +0000|2000-10-10T13:55:36.789Z|Tue, 10 Oct 2000 13:55:36 GMT"
            + "|Tue, 10 Oct 2000 13:55:36 GMT|-",
        Lines.of(":date[clf]|:date[iso]|:date[web]|:date|:date[CLF]", "/"));
    assertEquals(
        "Tue, 10 Oct 2000 13:55:36 GMT", Lines.of((tokens, req, res) -> tokens.get("date", "")));
  }

  @Test
  void theAddressIsKnownAfterTheClientHasGone() {
    new Visit("/").through(lines.logger(":remote-addr"), (Handler) (req, res) -> {}).disconnect();
    assertEquals("127.0.0.1", lines.only());
  }

  @Test
  void theAddressIsWhatATrustedProxyReports() {
    Visit visit = new Visit("/", "X-Forwarded-For", "198.51.100.1, 203.0.113.7");
    assertEquals("127.0.0.1", Lines.of(":remote-addr", visit));
    visit = new Visit("/", "X-Forwarded-For", "198.51.100.1, 203.0.113.7");
    visit.settings.set("trust proxy", "loopback");
    assertEquals("203.0.113.7", Lines.of(":remote-addr", visit));
  }

  @Test
  void theAddressReportedIsKnownAfterTheProxyHasGone() {
    Visit visit = new Visit("/", "X-Forwarded-For", "203.0.113.7");
    visit.settings.set("trust proxy", "loopback");
    visit.through(lines.logger(":remote-addr"), (Handler) (req, res) -> {}).disconnect();
    assertEquals("203.0.113.7", lines.only());
  }

  @Test
  void anAddressReportedIsEscaped() {
    Visit visit = new Visit("/", "X-Forwarded-For", "a\"b\tc\u001b");
    visit.settings.set("trust proxy", true);
    String line = Lines.of(":remote-addr", visit);
    assertTrue(line.startsWith("a\\"), line);
    assertTrue(line.chars().allMatch(c -> c >= ' ' && c < 0x7F), line);
  }

  @Test
  void timesHaveThreeDecimalsOrAsManyAsAskedRoundedHalfUp() {
    Map<String, String> expected =
        Map.of(
            "", "1234.568",
            "[3]", "1234.568",
            "[0]", "1235",
            "[1]", "1234.6",
            "[6]", "1234.567500",
            "[8]", "1234.56750000",
            "[x]", "1235");
    for (String token : List.of(":response-time", ":total-time")) {
      expected.forEach(
          (argument, text) ->
              assertEquals(
                  text,
                  answered(
                      token + argument,
                      (req, res) -> {
                        lines.nanos += 1_234_567_500L;
                        res.send("ok");
                      })));
    }
  }

  @Test
  void responseTimeEndsWithTheHeadAndTotalTimeWithTheLine() {
    Handler slow =
        (req, res) -> {
          lines.nanos += 2_000_000;
          res.write("head");
          lines.nanos += 3_000_000;
          res.end();
        };
    assertEquals("2 5", answered(":response-time[0] :total-time[0]", slow));
  }

  @Test
  void moreThanAHundredDecimalsAreAnError() {
    RequestLogger logger = lines.logger(":total-time[101]");
    new Visit("/").through(logger, Lines.OK);
    assertEquals(1, logger.failedLines());
    assertEquals(102, answered(":total-time[100]", Lines.OK).length());
  }

  @Test
  void remoteUserComesFromBasicCredentialsOfAnyCase() {
    assertEquals("ana", user("Basic YW5hOnB3"));
    assertEquals("ana", user("  bASIC   YW5hOnB3 "));
    assertEquals("-", user("Bearer YW5hOnB3"));
    assertEquals("-", user("Basic\tYW5hOnB3"));
    assertEquals("-", user(basic("nocolon")));
    assertEquals("-", user(basic(":pw")));
    assertEquals("-", user("Basic !!!"));
  }

  @Test
  void remoteUserDecodesLenientlyAndInUtf8() {
    assertEquals("ana", user("Basic YW5hOnB3.~=="));
    assertEquals("Zo\u00eb", user(basic("Zo\u00eb:x")));
    assertEquals("\ufffda", user("Basic /2E6eA"));
    assertEquals("-", user(basic("a:p\nw")));
    assertEquals("a\\nb", user(basic("a\nb:pw")));
  }

  @Test
  void pidIsThatOfThisProcess() {
    assertEquals(Long.toString(ProcessHandle.current().pid()), Lines.of(":pid", "/"));
  }
}

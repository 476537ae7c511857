package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.http.Headers;
import dev.percolate.testkit.TestExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The attacks on the log, by their numbers in the catalogue. */
@Timeout(60)
class RequestLoggerSecurityTest {

  private final Lines lines = new Lines();

  private static String basic(String pair) {
    byte[] bytes = pair.getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(bytes);
  }

  private static void assertClean(String line) {
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      boolean control = c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x2028 || c == 0x2029;
      assertTrue(!control, () -> "U+" + Integer.toHexString(c));
    }
  }

  @Test
  @DisplayName("LOG-01: a user cannot forge a line")
  void aUserCannotForgeALine() {
    String user = "x\n1.2.3.4 - - [..] \"GET /admin\" 200 1";
    String line = Lines.of("combined", "/", "Authorization", basic(user + ":pw"));
    assertTrue(
        line.startsWith(
            "127.0.0.1 - x\\n1.2.3.4\\u0020-\\u0020-\\u0020\\u005b..\\u005d\\u0020"
                + "\\\"GET\\u0020\\u002fadmin\\\"\\u0020200\\u00201 ["),
        line);
    assertClean(line);
  }

  @Test
  @DisplayName("LOG-02: agent and referrer cannot leave their quotes")
  void agentAndRefererCannotLeaveTheirQuotes() {
    String agent = "a\" 200 1 \"b\u001b[2J\u009b\u2028";
    String line = Lines.of("combined", "/", "User-Agent", agent, "Referer", "\\\" \\");
    assertTrue(
        line.endsWith("\"\\\\\\\" \\\\\" \"a\\\" 200 1 \\\"b\\u001b[2J\\u009b\\u2028\""), line);
    assertEquals(agent, CombinedLine.read(line).agent());
    assertClean(line);
  }

  @Test
  @DisplayName("LOG-03: all tokens are escaped alike, in format functions too")
  void allTokensAreEscapedAlike() {
    RequestLogger.token("t-evil", (req, res) -> List.of("\"\n"));
    Handler handler = (req, res) -> res.set("X", "a\"\\\u0085").send("ok");
    Visit visit = Visit.of("G\"T", "/\"\u001b", "X", "a\"\r");
    visit.exchange.remoteAddress("1\"").httpVersion("1\n");
    visit.through(
        lines.logger(":req[x] :res[x] :t-evil :url :method :remote-addr :http-version"), handler);
    assertEquals(
        "a\\\"\\r a\\\"\\\\\\u0085 [\\\"\\n] /\\\"\\u001b G\\\"T 1\\\" 1\\n", lines.only());
  }

  @Test
  @DisplayName("LOG-03: what a format function gets from tokens is escaped")
  void formatFunctionsGetEscapedText() {
    RequestLogger.token("t-evil", (req, res) -> List.of("\"\n"));
    Visit visit = new Visit("/\"", "X", "\u001b");
    LineFormat format =
        (tokens, req, res) ->
            tokens.get("t-evil") + tokens.get("url") + tokens.get("req", "x") + tokens.get("date");
    visit.through(lines.logger(format), Lines.OK);
    assertTrue(lines.only().startsWith("[\\\"\\n]/\\\"\\u001bTue"), lines.only());
  }

  @Test
  @DisplayName("LOG-04: a format string is never run")
  void aFormatStringIsNeverRun() {
    String[] formats = {
      "\");evil();//", "%s %n %1$s", "${jndi:ldap://h/x}".replace(":ldap:", " ldap "), "{0} $1 #{x}"
    };
    for (String format : formats) {
      assertEquals(format, Lines.of(format, "/"));
    }
    RequestLogger.token("t-arg4", (req, res, args) -> args[0]);
    assertEquals("\\\\\\\"+x+\\\\\\\"", Lines.of(":t-arg4[\"+x+\"]", "/"));
    assertEquals("${jndi:x}", Lines.of(":url", "${jndi:x}"));
  }

  @Test
  @DisplayName("LOG-05: long values stay whole in one line, written at once")
  void longValuesStayWholeInOneLine() {
    String url = "/" + "u".repeat(8000);
    String agent = "a\"".repeat(4000);
    String line = Lines.of("combined", url, "User-Agent", agent);
    assertTrue(line.contains(url) && line.endsWith("\"" + agent.replace("\"", "\\\"") + "\""));
  }

  @Test
  @DisplayName("LOG-06: a sink that blocks or fails touches no request")
  void aSinkThatBlocksOrFailsAffectsNoRequest() throws Exception {
    CountDownLatch open = new CountDownLatch(1);
    CountDownLatch reached = new CountDownLatch(1);
    OutputStream stuck =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            reached.countDown();
            try {
              open.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            throw new IOException("no space left");
          }
        };
    LogSink sink = LogSink.of(stuck).capacity(100);
    RequestLogger logger = RequestLogger.of("tiny").to(sink);
    assertEquals(200, new Visit("/").through(logger, Lines.OK).status());
    reached.await();
    for (int i = 0; i < 1000; i++) {
      assertEquals(200, new Visit("/").through(logger, Lines.OK).status());
    }
    assertEquals(900, sink.lostLines());
    open.countDown();
    sink.close();
    assertEquals(1001, sink.lostLines());
    assertEquals(200, new Visit("/").through(logger, Lines.OK).status());
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  @DisplayName("LOG-06: a disk without room touches no request; all its lines are counted")
  void aFullDiskAffectsNoRequest() {
    LogSink sink = LogSink.file(Path.of("/dev/full"));
    RequestLogger logger = RequestLogger.of("tiny").to(sink);
    for (int i = 0; i < 1000; i++) {
      assertEquals(200, new Visit("/").through(logger, Lines.OK).status());
    }
    sink.close();
    assertEquals(1000, sink.lostLines());
  }

  @Test
  @DisplayName("LOG-06: a consumer that throws touches no request, even at once")
  void aConsumerThatThrowsAffectsNoRequestEvenIfImmediate() {
    LogSink sink =
        LogSink.direct(
            line -> {
              throw new IllegalStateException("closed");
            });
    RequestLogger logger = RequestLogger.of("tiny").to(sink);
    Visit visit = new Visit("/").through(logger, logger.immediate(true), Lines.OK);
    assertEquals(200, visit.status());
    assertEquals(2, sink.lostLines());
  }

  @Test
  @DisplayName("LOG-07: each request gives one line, however it ends")
  void eachRequestGivesOneLineHoweverItEnds() {
    RequestLogger logger = lines.logger(":url :status :response-time");
    new Visit("/silent").through(logger, (Handler) (req, res) -> {}).disconnect();
    new Visit("/half").through(logger, (Handler) (req, res) -> res.write("x")).disconnect();
    new Visit("/whole").through(logger, Lines.OK).disconnect();
    assertEquals(List.of("/silent - -\n", "/half 200 0.000\n", "/whole 200 0.000\n"), lines.all);
  }

  @Test
  @DisplayName("LOG-08: a refused request gives one line")
  void aRejectedRequestGivesOneLine() {
    TestExchange rejected = TestExchange.of("", "");
    Service service = Chain.service(new Settings(), lines.logger(":method :url :status"), Lines.OK);
    service.onRejected(rejected, 400, new Headers());
    assertEquals("- - 400", lines.only());
  }

  @Test
  @DisplayName("LOG-09: skip or a token that throws loses one counted line")
  void skipOrTokenThatThrowsLosesOneCountedLine() {
    RequestLogger.token(
        "t-frail",
        (req, res) -> {
          throw new StackOverflowError();
        });
    RequestLogger token = lines.logger(":t-frail");
    RequestLogger skip =
        lines
            .saying("x")
            .skip(
                (req, res) -> {
                  throw new IllegalStateException("skip");
                });
    Visit visit = new Visit("/").through(token, skip, Lines.OK);
    assertEquals(200, visit.status());
    assertEquals(List.of(), lines.all);
    assertEquals(1, token.failedLines());
    assertEquals(1, skip.failedLines());
  }

  @Test
  @DisplayName("LOG-10: the logger changes no headers")
  void theLoggerChangesNoHeaders() {
    Handler handler =
        (req, res) -> {
          res.onHeaders(() -> res.append("Set-Cookie", "c=3"));
          res.append("Set-Cookie", "a=1").append("Set-Cookie", "b=2").send("ok");
        };
    Visit plain = new Visit("/").through(handler);
    Visit logged =
        new Visit("/").through(lines.logger(":res[set-cookie]"), lines.saying("x"), handler);
    assertEquals(
        plain.exchange.reply().headers().toString(), logged.exchange.reply().headers().toString());
    assertEquals("a=1, b=2, c=3\n", lines.all.get(0));
  }
}

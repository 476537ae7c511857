package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Service;
import dev.percolate.core.Settings;
import dev.percolate.http.Headers;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The attacks on the log, by their numbers in the catalogue. */
@Timeout(60)
class RequestLoggerSecurityTest {

  private static final Pattern CLF =
      Pattern.compile(
          "[^ ]+ - .+ \\[[^\\]\"]+\\] \"[^\"\\\\]+ (?:[^\"\\\\]|\\\\.)+ HTTP/[0-9.]+\" [0-9]+ [0-9]+"
              + " \"(?:[^\"\\\\]|\\\\.)*\" \"(?:[^\"\\\\]|\\\\.)*\"");

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
  void log01AUserCannotForgeALine() {
    String user = "x\n1.2.3.4 - - [..] \"GET /admin\" 200 1";
    String line = Lines.of("combined", "/", "Authorization", basic(user + ":pw"));
    assertTrue(
        line.startsWith("127.0.0.1 - x\\n1.2.3.4 - - [..] \\\"GET /admin\\\" 200 1 ["), line);
    assertClean(line);
  }

  @Test
  void log02AgentAndRefererCannotLeaveTheirQuotes() {
    String agent = "a\" 200 1 \"b\u001b[2J\u009b\u2028";
    String line = Lines.of("combined", "/", "User-Agent", agent, "Referer", "\\\" \\");
    assertTrue(
        line.endsWith("\"\\\\\\\" \\\\\" \"a\\\" 200 1 \\\"b\\u001b[2J\\u009b\\u2028\""), line);
    assertTrue(CLF.matcher(line).matches());
    assertClean(line);
  }

  @Test
  void log03AllTokensAreEscapedAlike() {
    RequestLogger.token("t-evil", (req, res) -> List.of("\"\n"));
    Handler handler = (req, res) -> res.set("X", "a\"\\\u0085").send("ok");
    FakeExchange exchange = new FakeExchange("/\"\u001b", "X", "a\"\r").method("G\"T");
    exchange.address = "1\"";
    exchange.version = "1\n";
    exchange.through(
        lines.logger(":req[x] :res[x] :t-evil :url :method :remote-addr :http-version"), handler);
    assertEquals(
        "a\\\"\\r a\\\"\\\\\\u0085 [\\\"\\n] /\\\"\\u001b G\\\"T 1\\\" 1\\n", lines.only());
  }

  @Test
  void log04AFormatStringIsNeverRun() {
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
  void log05LongValuesStayWholeInOneLine() {
    String url = "/" + "u".repeat(8000);
    String agent = "a\"".repeat(4000);
    String line = Lines.of("combined", url, "User-Agent", agent);
    assertTrue(line.contains(url) && line.endsWith("\"" + agent.replace("\"", "\\\"") + "\""));
  }

  @Test
  void log06ASinkThatBlocksOrFailsTouchesNoRequest() throws Exception {
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
    assertEquals(200, new FakeExchange("/").through(logger, Lines.OK).status);
    reached.await();
    for (int i = 0; i < 1000; i++) {
      assertEquals(200, new FakeExchange("/").through(logger, Lines.OK).status);
    }
    assertEquals(900, sink.lost());
    open.countDown();
    sink.close();
    assertEquals(1001, sink.lost());
    assertEquals(200, new FakeExchange("/").through(logger, Lines.OK).status);
  }

  @Test
  void log06AConsumerThatThrowsTouchesNoRequestEvenAtOnce() {
    LogSink sink =
        LogSink.direct(
            line -> {
              throw new IllegalStateException("closed");
            });
    RequestLogger logger = RequestLogger.of("tiny").to(sink);
    FakeExchange exchange = new FakeExchange("/").through(logger, logger.immediate(true), Lines.OK);
    assertEquals(200, exchange.status);
    assertEquals(2, sink.lost());
  }

  @Test
  void log07EachRequestGivesOneLineHoweverItEnds() {
    RequestLogger logger = lines.logger(":url :status :response-time");
    new FakeExchange("/silent").through(logger, (Handler) (req, res) -> {}).hangUp();
    new FakeExchange("/half").through(logger, (Handler) (req, res) -> res.write("x")).hangUp();
    new FakeExchange("/whole").through(logger, Lines.OK).hangUp();
    assertEquals(List.of("/silent - -\n", "/half 200 0.000\n", "/whole 200 0.000\n"), lines.all);
  }

  @Test
  void log08ARefusedRequestGivesOneLine() {
    FakeExchange refused = new FakeExchange("");
    refused.method = "";
    Service service = Service.of(new Settings(), lines.logger(":method :url :status"), Lines.OK);
    service.refused(refused, 400, new Headers());
    assertEquals("- - 400", lines.only());
  }

  @Test
  void log09SkipOrTokenThatThrowsLosesOneCountedLine() {
    RequestLogger.token(
        "t-frail",
        (req, res) -> {
          throw new StackOverflowError();
        });
    RequestLogger token = lines.logger(":t-frail");
    RequestLogger skip =
        lines
            .logger("x")
            .skip(
                (req, res) -> {
                  throw new IllegalStateException("skip");
                });
    FakeExchange exchange = new FakeExchange("/").through(token, skip, Lines.OK);
    assertEquals(200, exchange.status);
    assertEquals(List.of(), lines.all);
    assertEquals(1, token.failed());
    assertEquals(1, skip.failed());
  }

  @Test
  void log10TheLoggerChangesNoHeaders() {
    Handler handler =
        (req, res) -> {
          res.onHeaders(() -> res.append("Set-Cookie", "c=3"));
          res.append("Set-Cookie", "a=1").append("Set-Cookie", "b=2").send("ok");
        };
    FakeExchange plain = new FakeExchange("/").through(handler);
    FakeExchange logged =
        new FakeExchange("/").through(lines.logger(":res[set-cookie]"), lines.logger("x"), handler);
    assertEquals(String.valueOf(plain.sent), String.valueOf(logged.sent));
    assertEquals("a=1, b=2, c=3\n", lines.all.get(0));
  }

  @Test
  void randomValuesGiveOneLineEachThatParsesAndUnescapes() {
    Random random = new Random(4711);
    List<String> agents = new ArrayList<>();
    RequestLogger logger = lines.logger("combined");
    for (int i = 0; i < 20_000; i++) {
      String agent = text(random);
      agents.add(agent);
      new FakeExchange(
              "/" + text(random),
              "User-Agent",
              agent,
              "Referer",
              text(random),
              "Authorization",
              basic(text(random).replace(":", "") + ":p"))
          .through(logger, Lines.OK);
    }
    assertEquals(agents.size(), lines.all.size());
    for (int i = 0; i < agents.size(); i++) {
      String line = lines.all.get(i).substring(0, lines.all.get(i).length() - 1);
      assertClean(line);
      assertTrue(CLF.matcher(line).matches(), line);
      String agent = agents.get(i);
      assertTrue(line.endsWith(" \"" + (agent.isEmpty() ? "-" : escaped(agent)) + "\""), line);
    }
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      text.append(
          random.nextInt(4) == 0
              ? (char) random.nextInt(256)
              : "\"\\ -a\n".charAt(random.nextInt(6)));
    }
    return text.toString();
  }

  private static String escaped(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int common = "\"\\\b\f\n\r\t".indexOf(c);
      if (common >= 0) {
        out.append('\\').append("\"\\bfnrt".charAt(common));
      } else if (c < 0x20 || (c >= 0x7f && c <= 0x9f)) {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }
}

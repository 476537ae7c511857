package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.http.Headers;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.TestExchange;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestLoggerTest {

  private static final Handler SILENT = (req, res) -> {};

  private final Lines lines = new Lines();

  @Test
  void anUnknownNameIsAFormatString() {
    assertEquals("none such", Lines.of("none such", "/"));
  }

  @Test
  void emptyTextAndNullGiveTheFormatNamedDefault() {
    String expected =
        "127.0.0.1 - - [Tue, 10 Oct 2000 13:55:36 GMT] \"GET /e HTTP/1.1\" 200 2 \"-\" \"-\"";
    assertEquals(expected, Lines.of("", "/e"));
    new Visit("/e").through(lines.logger((String) null), Lines.OK);
    assertEquals(expected, lines.only());
  }

  @Test
  void aFormatDefinedLaterDoesNotAffectLoggersMadeBefore() {
    RequestLogger.format("t-later", "old :method");
    RequestLogger logger = lines.logger("t-later");
    RequestLogger.format("t-later", "new :method");
    new Visit("/").through(logger, Lines.OK);
    assertEquals("old GET", lines.only());
    assertEquals("new GET", Lines.of("t-later", "/"));
  }

  @Test
  void aTokenDefinedLaterAffectsLoggersMadeBefore() {
    RequestLogger logger = lines.logger(":t-ver");
    RequestLogger.token("t-ver", (req, res) -> "two");
    new Visit("/").through(logger, Lines.OK);
    assertEquals("two", lines.only());
  }

  @Test
  void namesAreLookedUpOnce() {
    RequestLogger.format("t-alias", "tiny");
    assertEquals("tiny", Lines.of("t-alias", "/"));
  }

  @Test
  void compileNeverTakesItsTextForAName() {
    assertEquals("tiny", Lines.of(RequestLogger.compile("tiny")));
    assertThrows(NullPointerException.class, () -> RequestLogger.compile(null));
  }

  @Test
  void aCompiledFormatServesAFormatFunction() {
    LineFormat inner = RequestLogger.compile(":method :status");
    assertEquals(
        "<GET 200>", Lines.of((tokens, req, res) -> "<" + inner.line(tokens, req, res) + ">"));
  }

  @Test
  void aFormatFunctionMayHaveAName() {
    RequestLogger.format("t-fn", (tokens, req, res) -> req.method() + " => " + res.status());
    assertEquals("GET => 200", Lines.of("t-fn", "/"));
  }

  @Test
  void aTokenAndAFormatOfOneNameLiveApart() {
    RequestLogger.token("t-both", (req, res) -> "token");
    RequestLogger.format("t-both", "format :t-both");
    assertEquals("format token", Lines.of("t-both", "/"));
  }

  @Test
  void aTokenOfOneLoggerOverridesASharedOne() {
    RequestLogger.token("t-who", (req, res) -> "all");
    LineFormat function = (tokens, req, res) -> tokens.get("t-who") + tokens.get("method");
    RequestLogger plain = lines.logger(":t-who :method :t-2[x]");
    RequestLogger own =
        plain
            .with("t-who", (req, res, args) -> "me\"")
            .with("method", (req, res, args) -> null)
            .with("t-2", (req, res, args) -> args[0]);
    RequestLogger other = lines.logger(function).with("t-who", (req, res, args) -> "her");
    RequestLogger json =
        lines.logger(StructuredFormat.json().fields("t-who")).with("t-who", (req, res, args) -> 7);
    new Visit("/").through(own, other, json, plain.with("t-2", (req, res, a) -> "2"), Lines.OK);
    assertEquals(List.of("me\\\" - x\n", "herGET\n", "{\"t_who\":7}\n", "all GET 2\n"), lines.all);
  }

  @Test
  void optionsGiveChangedCopies() {
    RequestLogger plain = lines.saying("x");
    RequestLogger skipping = plain.skip((req, res) -> true);
    new Visit("/").through(plain, skipping, plain.immediate(true), Lines.OK);
    assertEquals(List.of("x\n", "x\n"), lines.all);
  }

  @Test
  void theLineIsWrittenAfterTheHandlerReturns() {
    new Visit("/")
        .through(
            lines.saying("line"),
            (Handler)
                (req, res) -> {
                  res.send("ok");
                  lines.all.add("behind");
                });
    assertEquals(List.of("behind", "line\n"), lines.all);
  }

  @Test
  void anImmediateLineComesBeforeTheHandlerAndKnowsNoAnswer() {
    new Visit("/now")
        .through(
            lines
                .logger(":url :status :res[x] :response-time :total-time :http-version")
                .immediate(true),
            (Handler)
                (req, res) -> {
                  lines.all.add("handler");
                  res.set("x", "y").send("ok");
                });
    assertEquals(List.of("/now - - - - 1.1\n", "handler"), lines.all);
  }

  @Test
  void atRequestTimeSkipSeesTheUntouchedResponse() {
    new Visit("/")
        .through(
            lines.saying("x").immediate(true).skip((req, res) -> res.status() == 200), Lines.OK);
    assertEquals(List.of(), lines.all);
  }

  @Test
  void skipIsAskedOnceBeforeTheFormat() {
    List<String> calls = new ArrayList<>();
    LineFormat format =
        (tokens, req, res) -> {
          calls.add("format");
          return "x";
        };
    RequestLogger logger =
        lines
            .logger(format)
            .skip(
                (req, res) -> {
                  calls.add("skip " + res.status());
                  return req.url().equals("/no");
                });
    new Visit("/yes").through(logger, Lines.OK);
    new Visit("/no").through(logger, (Handler) (req, res) -> res.sendStatus(404));
    assertEquals(List.of("skip 200", "format", "skip 404"), calls);
    assertEquals("x", lines.only());
  }

  @Test
  void aFormatFunctionReturningNullWritesNothing() {
    new Visit("/").through(lines.logger((tokens, req, res) -> null), Lines.OK);
    assertEquals(List.of(), lines.all);
  }

  @Test
  void anythingButNullIsALine() {
    for (Object value : List.of("", 0, false, 5, 1.5, Map.of())) {
      new Visit("/").through(lines.logger((tokens, req, res) -> value), Lines.OK);
    }
    assertEquals(List.of("\n", "0\n", "false\n", "5\n", "1.5\n", "{}\n"), lines.all);
  }

  @Test
  void theTextOfAFormatFunctionIsNotEscapedButItsTokensAre() {
    new Visit("/", "User-Agent", "a\"b\\c")
        .through(
            lines.logger((tokens, req, res) -> "\"raw\t\\" + tokens.get("user-agent") + "\nnext"),
            Lines.OK);
    assertEquals("\"raw\t\\a\\\"b\\\\c\nnext", lines.only());
  }

  @Test
  void severalLoggersWriteInTheOrderPassed() {
    new Visit("/")
        .through(
            lines.saying("one"),
            lines.saying("two"),
            lines.saying("now").immediate(true),
            Lines.OK);
    assertEquals(List.of("now\n", "one\n", "two\n"), lines.all);
  }

  @Test
  void eachLoggerHasItsOwnTimes() {
    Middleware slow =
        (req, res, next) -> {
          lines.nanos += 5_000_000;
          next.run();
        };
    new Visit("/")
        .through(
            lines.logger(":response-time[0]"), slow, lines.logger(":response-time[0]"), Lines.OK);
    assertEquals(List.of("5\n", "0\n"), lines.all);
  }

  @Test
  void aLoggerAfterTheResponseKnowsStatusAndHeadersButNoTimes() {
    Middleware early =
        (req, res, next) -> {
          res.send("ok");
          next.run();
        };
    RequestLogger logger = lines.logger(":status :res[content-length] :response-time :total-time");
    // Without the lint: a handler that responds and calls next breaks the contract.
    TestExchange.of("GET", "/").serve(Chain.service(new Settings(), early, logger, SILENT));
    assertEquals("200 2 - -", lines.only());
  }

  @Test
  void aClientThatDisconnectsBeforeTheResponseIsLogged() {
    Visit visit = new Visit("/x").through(lines.logger("tiny"), SILENT);
    assertEquals(List.of(), lines.all);
    visit.disconnect();
    assertEquals("GET /x - - - - ms", lines.only());
  }

  @Test
  void aStartedResponseIsLogged() {
    Visit visit =
        new Visit("/")
            .through(
                lines.logger(":status :res[x] :response-time"),
                (Handler) (req, res) -> res.status(202).set("X", "y").write("part"));
    visit.disconnect();
    assertEquals("202 y 0.000", lines.only());
  }

  @Test
  void aResponseAfterTheLineWritesNoSecondLine() {
    List<Runnable> later = new ArrayList<>();
    Visit visit =
        new Visit("/")
            .through(
                lines.logger(":status"),
                (Handler) (req, res) -> later.add(() -> res.send("too late")));
    visit.disconnect();
    later.forEach(Runnable::run);
    assertEquals("-", lines.only());
  }

  @Test
  void aRequestWithoutAHandlerIsLoggedAs404WithItsLength() {
    new Visit("/none").through(lines.logger(":status :res[content-length]"));
    assertEquals("404 17", lines.only());
  }

  @Test
  void anErrorIsLoggedWithTheStatusOfItsAnswer() {
    Handler broken =
        (req, res) -> {
          throw new HttpError(422, "no");
        };
    new Visit("/").through(lines.logger(":status"), broken);
    assertEquals("422", lines.only());
  }

  @Test
  void anErrorInTheLineLosesThatLineOnlyAndIsCounted() {
    RequestLogger broken = lines.logger(":t-nonesuch");
    Visit visit = new Visit("/").through(broken, lines.saying("other"), Lines.OK);
    assertEquals(200, visit.status());
    assertEquals("other", lines.only());
    assertEquals(1, broken.failedLines());
  }

  @Test
  void withImmediateAnErrorInTheLineGoesToTheErrorChain() {
    RequestLogger.token(
        "t-teapot",
        (req, res) -> {
          throw new HttpError(418, "broke");
        });
    ErrorHandler handler = (error, req, res, next) -> lines.all.add(error.getMessage());
    Visit visit =
        new Visit("/").through(lines.logger(":t-teapot").immediate(true), Lines.OK, handler);
    assertEquals(List.of("broke"), lines.all);
    assertEquals(0, visit.status());
    Visit unhandled = new Visit("/").through(lines.logger(":t-teapot").immediate(true), Lines.OK);
    assertEquals(418, unhandled.status());
  }

  @Test
  void loggersWithOneSinkKeepTheirOwnFormats() {
    StringWriter text = new StringWriter();
    LogSink sink = LogSink.of(text);
    new Visit("/")
        .through(RequestLogger.of("a!").to(sink), RequestLogger.of("b!").to(text), Lines.OK);
    sink.close();
    assertEquals("a!\nb!\n", text.toString());
  }

  @Test
  void aRejectedRequestGivesOneLineWithItsStatus() {
    TestExchange exchange = TestExchange.of("", "").httpVersion("");
    for (boolean immediate : List.of(false, true)) {
      Service service =
          Chain.service(new Settings(), lines.logger("combined").immediate(immediate), Lines.OK);
      service.onRejected(exchange, 431, new Headers());
    }
    String line = "127.0.0.1 - - [10/Oct/2000:13:55:36 +0000] \"- - HTTP/-\" 431 - \"-\" \"-\"\n";
    assertEquals(List.of(line, line), lines.all);
  }

  @Test
  void aFailedLineOfARejectedRequestHasNoOtherEffect() {
    RequestLogger broken = lines.logger(":t-nonesuch").immediate(true);
    Service service = Chain.service(new Settings(), broken, lines.logger(":status"));
    service.onRejected(TestExchange.of("GET", "/"), 400, new Headers());
    assertEquals("400", lines.only());
    assertTrue(broken.failedLines() == 1);
  }
}

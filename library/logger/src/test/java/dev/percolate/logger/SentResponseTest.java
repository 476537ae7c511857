package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.http.HttpError;
import org.junit.jupiter.api.Test;

/**
 * The log shows the response that the client got, not the one that the application intended:
 * status, {@code Content-Length} (RFC 9110 section 8.6), headers and times.
 */
final class SentResponseTest {

  private static final String ALL =
      ":status :res[content-length] :res[x] :response-time :total-time";

  private final Lines lines = new Lines();

  private String line(Visit visit, String format, Handler handler) {
    visit.through(lines.logger(format), handler);
    return lines.only();
  }

  private String line(String format, Handler handler) {
    return line(new Visit("/"), format, handler);
  }

  private String asSet(String format, Handler handler) {
    Visit visit = new Visit("/");
    visit.settings.set(Settings.LOGGED_RESPONSE, "set");
    return line(visit, format, handler);
  }

  @Test
  void aResponseToAClientThatHasGoneIsAbsent() {
    Visit visit = new Visit("/");
    Handler late =
        (req, res) -> {
          visit.exchange.disconnect();
          res.status(400).set("X", "x").send("late");
        };
    assertEquals("- - - - -", line(visit, ALL, late));
  }

  @Test
  void itIsAbsentInStructuredLinesToo() {
    Visit visit = new Visit("/");
    Handler late =
        (req, res) -> {
          visit.exchange.disconnect();
          res.status(400).send("late");
        };
    visit.through(
        lines.logger(StructuredFormat.json().fields("url", "status", "res[content-length]")), late);
    assertEquals("{\"url\":\"/\"}", lines.only());
  }

  @Test
  void devHasTheColourOfNoResponse() {
    Visit visit = new Visit("/");
    Handler late =
        (req, res) -> {
          visit.exchange.disconnect();
          res.status(500).send("late");
        };
    visit.through(lines.logger(Formats.standard(null).get("dev")), late);
    assertEquals("\u001b[0mGET / \u001b[0m-\u001b[0m - ms - -\u001b[0m", lines.only());
  }

  @Test
  void aResponseThatHasBegunWhenTheClientGoesIsShown() {
    Visit visit = new Visit("/");
    Handler begun =
        (req, res) -> {
          res.status(201).set("X", "x").write("begun");
          visit.exchange.disconnect();
        };
    assertEquals("201 - x", line(visit, ":status :res[content-length] :res[x]", begun));
  }

  @Test
  void anErrorAfterTheClientHasGoneIsAbsent() {
    Visit visit = new Visit("/");
    Handler failing =
        (req, res) -> {
          visit.exchange.disconnect();
          throw new HttpError(503);
        };
    assertEquals("- - - - -", line(visit, ALL, failing));
  }

  @Test
  void aStatusThatIsChangedAfterTheResponseIsNotShown() {
    Handler changing = (req, res) -> res.send("x").status(500);
    assertEquals("200", line(":status", changing));
  }

  @Test
  void theLengthIsShownHoweverTheResponseIsMade() {
    String format = ":status :res[content-length]";
    assertEquals("200 4", line(format, (req, res) -> res.send("sent")));
    lines.all.clear();
    assertEquals("200 5", line(format, (req, res) -> res.end("ended")));
    lines.all.clear();
    assertEquals("429 3", line(format, (req, res) -> res.status(429).end(new byte[3])));
    lines.all.clear();
    assertEquals("200 0", line(format, (req, res) -> res.end()));
    lines.all.clear();
    assertEquals("200 3", line(format, (req, res) -> res.set("Content-Length", "3").end("set")));
  }

  @Test
  void aBodyInPiecesHasNoLength() {
    assertEquals("-", line(":res[content-length]", (req, res) -> res.write("piece").end("s")));
    lines.all.clear();
    assertEquals("-", line(":res[content-length]", (req, res) -> res.flush().end("piece")));
  }

  @Test
  void aResponseWithoutABodyHasTheLengthThatItsHeadNames() {
    String format = ":status :res[content-length]";
    assertEquals("204 -", line(format, (req, res) -> res.status(204).end("none")));
    lines.all.clear();
    assertEquals("304 -", line(format, (req, res) -> res.status(304).end("none")));
    lines.all.clear();
    assertEquals("205 0", line(format, (req, res) -> res.status(205).end("none")));
    lines.all.clear();
    Handler head = (req, res) -> res.send("four");
    assertEquals("200 4", line(Visit.of("HEAD", "/"), format, head));
    lines.all.clear();
    Handler unnamed = (req, res) -> res.end("four");
    assertEquals("200 -", line(Visit.of("HEAD", "/"), format, unnamed));
  }

  @Test
  void theLengthIsANumberInStructuredLines() {
    visitStructured(StructuredFormat.json());
    assertEquals("{\"content_length\":4}", lines.only());
    lines.all.clear();
    visitStructured(StructuredFormat.logfmt());
    assertEquals("content_length=4", lines.only());
  }

  private void visitStructured(StructuredFormat format) {
    Handler handler = (req, res) -> res.end("four");
    new Visit("/").through(lines.logger(format.fields("res[content-length]")), handler);
  }

  @Test
  void theSettingSetLogsTheValuesOfTheApplication() {
    assertEquals("-", asSet(":res[content-length]", (req, res) -> res.end("ended")));
    lines.all.clear();
    assertEquals("4", asSet(":res[content-length]", (req, res) -> res.send("sent")));
    lines.all.clear();
    assertEquals("500", asSet(":status", (req, res) -> res.send("x").status(500)));
  }

  @Test
  void withTheSettingSetAResponseToAClientThatHasGoneIsAbsentToo() {
    Visit visit = new Visit("/");
    visit.settings.set(Settings.LOGGED_RESPONSE, "set");
    Handler late =
        (req, res) -> {
          visit.exchange.disconnect();
          res.status(400).send("late");
        };
    assertEquals("- - - - -", line(visit, ALL, late));
  }
}

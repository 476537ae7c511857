package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.ExternalResponse;
import dev.percolate.core.Handler;
import dev.percolate.http.Headers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormatsTest {

  private static final String ESC = "\u001b";

  private final Map<String, LineFormat> standard = Formats.standard(null);

  @AfterEach
  void restore() {
    standard.forEach(Formats::define);
    TokenRegistry.define("method", StandardTokens.all().get("method"));
    TokenRegistry.define("status", StandardTokens.all().get("status"));
  }

  private String dev(Handler handler) {
    Lines lines = new Lines();
    new Visit("/x").through(lines.logger(standard.get("dev")), handler);
    return lines.only();
  }

  @Test
  void anUnknownWordIsAFormatStringAndAWarningNamesTheClosestFormat() {
    RequestLogger.reset();
    assertEquals(
        List.of(
            "RequestLogger.of(\"combinedd\"): unknown format, so every log line is this text."
                + " Did you mean \"combined\"? The formats are combined, common, default, dev,"
                + " json, logfmt, short, tiny."),
        Warnings.during(() -> assertEquals("combinedd", Lines.of("combinedd", "/"))));
  }

  @ParameterizedTest
  @CsvSource({
    "Combined, combined",
    "comon, common",
    "tniy, tiny",
    "JSON, json",
    "log-fmt, logfmt",
    "shorted, short",
    "devel, dev",
    "x, dev"
  })
  void theNearestFormatIsTheOneWithTheFewestLettersToChange(String word, String nearest) {
    RequestLogger.reset();
    List<String> warnings = Warnings.during(() -> assertEquals(word, Lines.of(word, "/")));
    assertEquals(1, warnings.size());
    assertTrue(warnings.get(0).contains("Did you mean \"" + nearest + "\"?"), warnings.get(0));
  }

  @Test
  void namesAndTextsOfSeveralWordsAreNotWarnedOf() {
    for (String text : new String[] {"combined", "combined :pid", ":pid", "a b", "-!-", ""}) {
      assertEquals(List.of(), Warnings.during(() -> assertNotNull(Formats.find(text))), text);
    }
    assertEquals(
        List.of(), Warnings.during(() -> assertNotNull(RequestLogger.compile("combinedd"))));
  }

  @Test
  void combinedAndCommonAndDefault() {
    String[] headers = {
      "Referer", "http://r/", "User-Agent", "probe/1.0", "Authorization", "Basic YW5hOnB3"
    };
    String common = "127.0.0.1 - ana [10/Oct/2000:13:55:36 +0000] \"GET /l?p=2 HTTP/1.1\" 200 2";
    String combined = common + " \"http://r/\" \"probe/1.0\"";
    assertEquals(combined, Lines.of("combined", "/l?p=2", headers));
    assertEquals(common, Lines.of("common", "/l?p=2", headers));
    assertEquals(
        combined.replace("10/Oct/2000:13:55:36 +0000", "Tue, 10 Oct 2000 13:55:36 GMT"),
        Lines.of("default", "/l?p=2", headers));
  }

  @Test
  void shortAndTiny() {
    assertEquals("127.0.0.1 - GET /s HTTP/1.1 200 2 - 0.000 ms", Lines.of("short", "/s"));
    assertEquals("GET /t 200 2 - 0.000 ms", Lines.of("tiny", "/t"));
  }

  @Test
  void devColoursTheStatusByItsClass() {
    Map<Integer, Integer> colours =
        Map.of(200, 32, 299, 32, 300, 36, 399, 36, 400, 33, 499, 33, 500, 31, 600, 31);
    colours.forEach(
        (status, colour) ->
            assertEquals(
                ESC
                    + "[0mGET /x "
                    + ESC
                    + "["
                    + colour
                    + "m"
                    + status
                    + ESC
                    + "[0m 0.000 ms - 1"
                    + ESC
                    + "[0m",
                dev((req, res) -> res.status(status).send("b"))));
  }

  @Test
  void devHasColourZeroWithoutAResponse() {
    Lines lines = new Lines();
    Visit.of("PUT", "/now").through(lines.logger(standard.get("dev")).immediate(true), Lines.OK);
    assertEquals(
        ESC + "[0mPUT /now " + ESC + "[0m-" + ESC + "[0m - ms - -" + ESC + "[0m", lines.only());
  }

  @Test
  void devHasColourZeroForAnInterimStatusOfAServlet() {
    Lines lines = new Lines();
    Handler passing =
        (req, res) -> {
          ExternalResponse response = ExternalResponse.claim(res);
          response.start(199, new Headers());
          response.end(199, new Headers());
        };
    Visit visit = new Visit("/x");
    visit.through(lines.logger(standard.get("dev")), passing);
    visit.exchange.end(ByteBuffer.allocate(0));
    assertEquals(
        ESC + "[0mGET /x " + ESC + "[0m199" + ESC + "[0m 0.000 ms - -" + ESC + "[0m", lines.only());
  }

  @Test
  void devColoursByTheRealStatus() {
    RequestLogger.token("status", (req, res) -> "fine");
    assertEquals(
        ESC + "[0mGET /x " + ESC + "[31mfine" + ESC + "[0m 0.000 ms - 1" + ESC + "[0m",
        dev((req, res) -> res.status(503).send("b")));
  }

  @Test
  void noColorOfAnyTextButAnEmptyOneMakesDevPlain() {
    Lines lines = new Lines();
    for (String value : new String[] {"0", "1"}) {
      LineFormat plain = Formats.standard(value).get("dev");
      new Visit("/x").through(lines.logger(plain), Lines.OK);
      assertEquals("GET /x 200 0.000 ms - 2", lines.only());
      lines.all.clear();
    }
    new Visit("/x").through(lines.logger(Formats.standard("").get("dev")), Lines.OK);
    assertEquals(0, lines.only().indexOf(ESC));
  }

  @Test
  void predefinedFormatsMayBeRedefined() {
    for (String name : standard.keySet()) {
      RequestLogger.format(name, "mine " + name);
      assertEquals("mine " + name, Lines.of(name, "/"));
    }
  }

  @Test
  void resetRestoresThePredefinedFormatsAndTokens() {
    RequestLogger.format("tiny", "mine");
    RequestLogger.format("t-own", "mine");
    RequestLogger.token("method", (req, res) -> "verb");
    RequestLogger.token("t-own", (req, res) -> "mine");
    RequestLogger.reset();
    assertEquals("GET /o 200 2 - 0.000 ms", Lines.of("tiny", "/o"));
    assertEquals("t-own", Lines.of("t-own", "/"));
    assertThrows(IllegalArgumentException.class, () -> TokenRegistry.find("t-own"));
  }

  @Test
  void aTokenReplacesThePredefinedOneInAllFormats() {
    RequestLogger.token("method", (req, res) -> "verb");
    assertEquals("verb /o 200 2 - 0.000 ms", Lines.of("tiny", "/o"));
  }
}

package dev.percolate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.HttpError;
import dev.percolate.parsers.BodyParser;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A custom parser: it has all options of the others, and works next to them. */
class OwnParserTest {

  private static final Middleware SHOW = (req, res, next) -> res.send(String.valueOf(req.body()));

  /** Parses text in columns to lists. */
  @CheckReturnValue
  private static final class CsvParser extends BodyParser<CsvParser> {

    private String separator = ",";

    CsvParser() {
      super("text/csv");
    }

    CsvParser separator(String text) {
      return with(copy -> copy.separator = text);
    }

    @Override
    protected void parse(Request req, byte[] bytes, String text, @Nullable String charset) {
      if (text.isBlank()) {
        throw new HttpError(400, "no line", "entity.parse.failed", null);
      }
      RequestControl.body(req, text.lines().map(line -> List.of(line.split(separator))).toList());
    }
  }

  private static Reply post(String type, byte[] body, Middleware... parsers) {
    Middleware[] steps = Arrays.copyOf(parsers, parsers.length + 1);
    steps[parsers.length] = SHOW;
    Service service = Chain.service(new Settings().set("env", "test"), steps);
    return Call.post("/").header("Content-Type", type).body(body).to(service);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  @Test
  void itsBodyIsWhatItMakes() {
    assertEquals("[[a, b], [c]]", post("text/csv", utf8("a,b\nc"), new CsvParser()).text());
    CsvParser semicolons = new CsvParser().separator(";");
    assertEquals("[[a, b]]", post("text/csv", utf8("a;b"), semicolons).text());
  }

  @Test
  void itHasTheOptionsOfAllParsers() {
    assertEquals(413, post("text/csv", utf8("a,b"), new CsvParser().limit(2)).status());
    assertEquals("[[x]]", post("a/b", utf8("x"), new CsvParser().type("a/b")).text());
    assertEquals(400, post("text/csv", utf8(" "), new CsvParser()).status());
    byte[] latin = {(byte) 0xe9};
    assertEquals("[[\u00e9]]", post("text/csv; charset=iso-8859-1", latin, new CsvParser()).text());
  }

  @Test
  void ofSeveralTheFirstWhoseTypeMatchesReadsTheBody() {
    CsvParser any = new CsvParser().type("*/*");
    assertEquals("x,y", post("text/plain", utf8("x,y"), BodyParsers.text(), any).text());
    assertEquals("[[x, y]]", post("text/plain", utf8("x,y"), any, BodyParsers.text()).text());
  }
}

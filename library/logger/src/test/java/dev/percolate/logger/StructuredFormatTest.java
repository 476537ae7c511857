package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class StructuredFormatTest {

  private static final JsonMapper JACKSON = new JsonMapper();

  private final Lines lines = new Lines();

  @AfterEach
  void forget() {
    RequestLogger.reset();
  }

  private static Visit visit() {
    return new Visit(
        "/l?p=2",
        "Referer",
        "http://r/",
        "User-Agent",
        "probe 1.0",
        "Authorization",
        "Basic YW5hOnB3",
        "X-Id",
        "a=7");
  }

  private static Map<?, ?> json(String line) {
    return JACKSON.readValue(line, Map.class);
  }

  private String line(LineFormat format, Visit visit, Handler handler) {
    lines.all.clear();
    visit.through(lines.logger(format), handler);
    return lines.only();
  }

  private String line(LineFormat format) {
    return line(format, visit(), Lines.OK);
  }

  /** Returns the lines of both formats for one value of a token. */
  private String both(Object value) {
    RequestLogger.token("t-own", (req, res) -> value);
    String logfmt = line(StructuredFormat.logfmt().fields("t-own"));
    return line(StructuredFormat.json().fields("t-own")) + " " + logfmt;
  }

  @Test
  void jsonIsOneObjectWithTypedValues() {
    String line = Lines.of("json", visit());
    assertEquals(
        "{\"date\":\"2000-10-10T13:55:36.789Z\",\"remote_addr\":\"127.0.0.1\","
            + "\"remote_user\":\"ana\",\"method\":\"GET\",\"url\":\"/l?p=2\","
            + "\"http_version\":\"1.1\",\"status\":200,\"content_length\":2,"
            + "\"response_time\":0.000,\"referrer\":\"http://r/\",\"user_agent\":\"probe 1.0\"}",
        line);
    assertEquals(0.0, json(line).get("response_time"));
  }

  @Test
  void logfmtQuotesValuesIfNecessary() {
    assertEquals(
        "time=2000-10-10T13:55:36.789Z remote_addr=127.0.0.1 remote_user=ana method=GET"
            + " url=\"/l?p=2\" http_version=1.1 status=200 content_length=2 response_time=0.000"
            + " referrer=http://r/ user_agent=\"probe 1.0\"",
        Lines.of("logfmt", visit()));
  }

  @Test
  void absentValuesAreOmitted() {
    Visit plain = new Visit("/").through(lines.logger("json").immediate(true));
    assertEquals(404, plain.status());
    assertEquals(
        List.of("date", "remote_addr", "method", "url", "http_version"),
        List.copyOf(json(lines.only()).keySet()));
    assertEquals("{}", line(StructuredFormat.json().fields("req[none]")));
    assertEquals("", line(StructuredFormat.logfmt().fields("req[none]")));
    assertEquals("url=/", Lines.of(StructuredFormat.logfmt().fields("referrer", "url")));
  }

  @Test
  void fieldsAreChosenByToken() {
    StructuredFormat format =
        StructuredFormat.json()
            .fields("status", "req[X-Id]", "res[Content-Length]", "date[clf]", "total-time[0]");
    assertEquals(
        "{\"status\":200,\"x_id\":\"a=7\",\"content_length\":2,"
            + "\"date\":\"10/Oct/2000:13:55:36 +0000\",\"total_time\":0}",
        line(format));
  }

  @Test
  void aFieldIsAddedOrReplacedByItsName() {
    StructuredFormat two = StructuredFormat.logfmt().fields("method", "url");
    assertEquals("method=GET url=\"/l?p=2\" id=\"a=7\"", line(two.field("id", "req[x-id]")));
    assertEquals("method=200 url=\"/l?p=2\"", line(two.field("method", "status")));
    assertEquals(
        "{\"http.request@a-b_c\":\"GET\"}",
        line(
            StructuredFormat.json()
                .fields("url")
                .field("http.request@a-b_c", "method")
                .field("url", "referrer[x]")
                .field("url", "req[none]")));
  }

  @Test
  void optionsGiveChangedCopies() {
    StructuredFormat one = StructuredFormat.json().fields("method");
    var unused = List.of(one.fields("url"), one.field("id", "url"));
    assertEquals("{\"method\":\"GET\"}", line(one));
  }

  @Test
  void aDateIsInIsoUnlessItHasAnArgument() {
    assertEquals("time=2000-10-10T13:55:36.789Z", line(StructuredFormat.logfmt().fields("date")));
    assertEquals(
        "time=\"Tue, 10 Oct 2000 13:55:36 GMT\"",
        line(StructuredFormat.logfmt().fields("date[web]")));
  }

  @Test
  void valuesOfOwnTokensKeepTheirType() {
    assertEquals("{\"t_own\":0} t_own=0", both(0));
    assertEquals("{\"t_own\":-1.5} t_own=-1.5", both(-1.5));
    assertEquals("{\"t_own\":1e+21} t_own=1e+21", both(1e21));
    assertEquals("{\"t_own\":1E+3} t_own=1E+3", both(new BigDecimal("1E+3")));
    assertEquals("{\"t_own\":9223372036854775807} t_own=9223372036854775807", both(Long.MAX_VALUE));
    String long99 = "9".repeat(99);
    assertEquals("{\"t_own\":" + long99 + "} t_own=" + long99, both(new BigInteger(long99)));
    assertEquals("{\"t_own\":7} t_own=7", both(new AtomicLong(7)));
    assertEquals("{\"t_own\":false} t_own=false", both(false));
    assertEquals("{\"t_own\":\"\"} t_own=\"\"", both(""));
    assertEquals("{\"t_own\":\"7\"} t_own=7", both("7"));
    assertEquals("{\"t_own\":\"[1, 2]\"} t_own=\"[1, 2]\"", both(List.of(1, 2)));
    assertEquals("{} ", both(null));
    assertEquals("{} ", both(Double.NaN));
    assertEquals("{\"t_own\":\"Infinity\"} t_own=Infinity", both(Float.POSITIVE_INFINITY));
  }

  @Test
  void aContentLengthIsANumberIfItIsOne() {
    LineFormat format = StructuredFormat.json().fields("req[content-length]");
    String[] texts = {"007", "+5", "1e", "1.", "-", "ff", "9".repeat(16), "1".repeat(4000)};
    for (String text : texts) {
      String line = line(format, new Visit("/", "Content-Length", text), Lines.OK);
      assertEquals(Map.of("content_length", text), json(line));
    }
    for (String text : new String[] {"0", "5", "9".repeat(15)}) {
      String line = line(format, new Visit("/", "Content-Length", text), Lines.OK);
      assertEquals("{\"content_length\":" + text + "}", line);
    }
  }

  @Test
  void namesOfFormatsMayBeRedefined() {
    RequestLogger.format("json", StructuredFormat.json().fields("method"));
    RequestLogger.format("audit", StructuredFormat.logfmt().fields("method"));
    assertEquals("{\"method\":\"GET\"}", Lines.of("json", "/"));
    assertEquals("method=GET", Lines.of("audit", "/"));
  }

  @Test
  void aTokenMayBeDefinedLater() {
    LineFormat format = StructuredFormat.logfmt().fields("t-late");
    new Visit("/").through(lines.logger(format), Lines.OK);
    assertEquals(List.of(), lines.all);
    RequestLogger.token("t-late", (req, res) -> "now");
    assertEquals("t_late=now", line(format));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "m", ":method", "method ", "a b", "req", "res", "req[]", "req[x", "req[x]y"})
  void invalidTokensAreRejectedByName(String token) {
    String message =
        assertThrows(
                IllegalArgumentException.class, () -> StructuredFormat.json().fields("url", token))
            .getMessage();
    assertTrue(message.startsWith("invalid token \"" + token + "\"; use"), message);
    assertThrows(
        IllegalArgumentException.class, () -> StructuredFormat.json().field("name", token));
  }

  @Test
  void invalidFieldNamesAreRejectedByName() {
    StructuredFormat format = StructuredFormat.logfmt();
    for (String name : new String[] {"", "a b", "a=b", "a\"", "\u00e9", "a\n"}) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> format.field(name, "url"))
              .getMessage();
      assertTrue(
          message.startsWith(
              "field name must have only letters, digits, _ . - and @, was \"" + name + "\""),
          message);
    }
    assertThrows(IllegalArgumentException.class, () -> format.fields("req[a b]"));
    assertEquals(
        "fields(req[x-id], res[X-Id]) has more than one field x_id",
        assertThrows(IllegalArgumentException.class, () -> format.fields("req[x-id]", "res[X-Id]"))
            .getMessage());
    assertThrows(IllegalArgumentException.class, format::fields);
  }

  @Test
  void hostileValuesCanBeReadBackFromEveryLine() {
    Random random = new Random(4712);
    String[] value = new String[1];
    RequestLogger.token("t-wide", (req, res) -> value[0]);
    RequestLogger json =
        lines.logger(StructuredFormat.json().fields("url", "t-wide", "req[x]", "status"));
    RequestLogger logfmt =
        lines.logger(StructuredFormat.logfmt().fields("url", "t-wide", "req[x]", "status"));
    for (int i = 0; i < 5_000; i++) {
      value[0] = text(random, 0xFFFF);
      String url = "/" + text(random, 0xFF);
      String header = text(random, 0xFF) + "x";
      lines.all.clear();
      new Visit(url, "X", header).through(json, logfmt, Lines.OK);
      Map<String, Object> expected =
          Map.of("url", url, "t_wide", value[0], "x", header, "status", 200);
      assertEquals(expected, json(onWire(lines.all.get(0))));
      assertEquals(
          Map.of("url", url, "t_wide", value[0], "x", header, "status", "200"),
          Logfmt.read(onWire(lines.all.get(1))));
    }
  }

  /**
   * Returns a line without its line feed, after a round trip in UTF-8; checks that it has no other.
   */
  private static String onWire(String line) {
    assertEquals(line.length() - 1, line.indexOf('\n'));
    assertTrue(line.chars().limit(line.length() - 1).noneMatch(c -> c < 0x20 || c == 0x2028));
    String wire = new String(line.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    return wire.substring(0, wire.length() - 1);
  }

  private static String text(Random random, int max) {
    String likely = "\"\\= \n\r\t,{}:/-\u0000\u001b\u007f\u0085";
    String wide = "\u2028\u2029\ud83d\ude00\ufeff\uffff\ud800\udfff";
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(10); i > 0; i--) {
      text.append(
          switch (random.nextInt(4)) {
            case 0 -> (char) random.nextInt(max + 1);
            case 1 -> max > 0xFF ? wide.charAt(random.nextInt(wide.length())) : 'w';
            case 2 -> (char) ('a' + random.nextInt(26));
            default -> likely.charAt(random.nextInt(likely.length()));
          });
    }
    return text.toString();
  }
}

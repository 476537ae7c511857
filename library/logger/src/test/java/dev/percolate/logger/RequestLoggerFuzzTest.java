package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Each request has one line in each format, which readers of the format can parse. */
final class RequestLoggerFuzzTest {

  private static final JsonMapper MAPPER = new JsonMapper();
  private static final List<String> TEXTS =
      List.of("common", "default", "short", "tiny", ":req[x]:res[x] :url");

  @FuzzTest
  void eachRequestHasOneLineThatCanBeRead(byte[] data) {
    String[] given = new String(data, StandardCharsets.ISO_8859_1).split("\n", 6);
    String[] values = new String[6];
    for (int i = 0; i < values.length; i++) {
      values[i] = i < given.length ? given[i] : "";
    }
    for (String format : TEXTS) {
      assertPlain(Lines.of(format, visit(values)));
    }
    assertPlain(Lines.of("dev", visit(values)).replaceAll("\u001b\\[\\d+m", ""));
    String combined = Lines.of("combined", visit(values));
    assertPlain(combined);
    CombinedLine line = CombinedLine.read(combined);
    assertEquals("/" + values[0], line.target());
    assertEquals(values[1].isEmpty() ? "-" : values[1], line.agent());
    JsonNode json = MAPPER.readTree(Lines.of("json", visit(values)));
    Map<String, String> logfmt = Logfmt.read(Lines.of("logfmt", visit(values)));
    assertEquals(json.propertyNames().size(), logfmt.size(), () -> json + " and " + logfmt);
  }

  private static Visit visit(String[] values) {
    String pair = values[3];
    byte[] bytes = pair.getBytes(StandardCharsets.UTF_8);
    String basic = pair.isEmpty() ? values[4] : Base64.getEncoder().encodeToString(bytes);
    return new Visit(
        "/" + values[0],
        "User-Agent",
        values[1],
        "Referer",
        values[2],
        "Authorization",
        "Basic " + basic,
        "X",
        values[5]);
  }

  private static void assertPlain(String line) {
    boolean plain = line.codePoints().noneMatch(RequestLoggerFuzzTest::isControl);
    assertTrue(plain, () -> "control characters in " + line);
  }

  private static boolean isControl(int c) {
    return c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029;
  }
}

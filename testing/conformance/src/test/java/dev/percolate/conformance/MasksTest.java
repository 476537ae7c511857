package dev.percolate.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MasksTest {

  private static final Path ROOT = Path.of("/tmp/scenario-1");

  private static Map<String, @Nullable Object> masked(String body, String... ignore) {
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    answer.put("status", 500);
    answer.put("headers", new TreeMap<>(Map.of("content-length", "9", "x-a", "1.234 ms")));
    answer.put("body", body);
    return Masks.answer(answer, Set.of(ignore), ROOT);
  }

  @Test
  void datesOfTodayTimesAndTheRootAreMasked() {
    assertEquals("CLF-DATE", Masks.text("21/Nov/2026:15:36:58 +0000", ROOT));
    assertEquals("ISO-DATE", Masks.text("2026-11-21T15:36:58.123Z", ROOT));
    assertEquals("WEB-DATE", Masks.text("Sat, 21 Nov 2026 15:36:58 GMT", ROOT));
    assertEquals("MS.000 12.34", Masks.text("12.345 12.34", ROOT));
    assertEquals("$ROOT/a", Masks.text("/tmp/scenario-1/a", ROOT));
  }

  @Test
  void theTimeOfFilesIsNotMasked() {
    assertEquals("2020-01-02T03:04:05.000Z", Masks.text("2020-01-02T03:04:05.000Z", ROOT));
    assertEquals(
        "Thu, 02 Jan 2020 03:04:05 GMT", Masks.text("Thu, 02 Jan 2020 03:04:05 GMT", ROOT));
  }

  @Test
  void aStackTraceIsCutAndTheLengthRemoved() {
    Map<String, @Nullable Object> answer = masked("Error: x<br> &nbsp; &nbsp;at shop.Users");
    assertEquals("Error: x$STACK", answer.get("body"));
    assertEquals(Map.of("x-a", "MS.000 ms"), answer.get("headers"));
  }

  @Test
  void ignoringABodyIgnoresItsLength() {
    Map<String, @Nullable Object> answer = masked("whatever", "body");
    assertEquals(Map.of("status", 500, "headers", Map.of("x-a", "MS.000 ms")), answer);
  }

  @Test
  void anIgnoredHeaderIsRemoved() {
    assertEquals(Map.of("content-length", "9"), masked("", "x-a").get("headers"));
  }
}

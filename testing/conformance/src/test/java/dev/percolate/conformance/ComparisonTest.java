package dev.percolate.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ComparisonTest {

  private static Map<String, @Nullable Object> answer(int status, String body, String length) {
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    answer.put("status", status);
    answer.put("headers", new TreeMap<>(Map.of("content-length", length)));
    answer.put("body", body);
    return answer;
  }

  private static @Nullable String difference(
      Map<String, @Nullable Object> wanted, Map<String, @Nullable Object> got, String... log) {
    Scenario scenario =
        new Scenario(
            "a/b", "test", Map.of(), List.of(), List.of(), Set.of(), List.of(wanted), List.of("x"));
    return Comparison.difference(scenario, List.of(got), List.of(log));
  }

  @Test
  void equalAnswersAndLogsDoNotDiffer() {
    assertNull(difference(answer(200, "ok", "2"), answer(200, "ok", "2"), "x"));
  }

  @Test
  void eachDifferenceOfAResponseIsNamed() {
    assertEquals(
        "status: expected 200, was 404; header content-length: expected \"2\", was \"3\";"
            + " body: expected \"ok\", was \"no\\n\"",
        difference(answer(200, "ok", "2"), answer(404, "no\n", "3"), "x"));
  }

  @Test
  void theLogIsCompared() {
    assertEquals(
        "log: expected [\"x\"], was []", difference(answer(200, "", "0"), answer(200, "", "0")));
  }

  @Test
  void anErrorPageMayBeginWithTheNameOfAClass() {
    Map<String, @Nullable Object> wanted = answer(404, "Error: x$STACK", "0");
    assertNull(difference(wanted, answer(404, "java.io.IOException: x$STACK", "0"), "x"));
    assertNull(difference(wanted, answer(404, "a.b.Outer$Inner: x$STACK", "0"), "x"));
    assertEquals(
        "body: expected \"Error: x$STACK\", was \"no class: x$STACK\"",
        difference(wanted, answer(404, "no class: x$STACK", "0"), "x"));
  }

  @Test
  void anErrorPageMayLackTheRecordedStackTrace() {
    Map<String, @Nullable Object> wanted = answer(404, "Error: x$STACK", "0");
    wanted.put("headers", new TreeMap<>());
    assertNull(difference(wanted, answer(404, "Error: x\n", "9"), "x"));
    assertEquals(
        "header content-length: expected none, was \"9\";"
            + " body: expected \"Error: x$STACK\", was \"Error: y\\n\"",
        difference(wanted, answer(404, "Error: y\n", "9"), "x"));
  }
}

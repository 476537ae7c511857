package dev.percolate.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Malicious forms and queries. */
final class HostileFormTest {

  /** Much longer than necessary, for busy machines; quadratic time would be minutes. */
  private static final Duration SOON = Duration.ofSeconds(5);

  @Test
  @DisplayName("QS-01: a huge index is a name of a map, in queries too")
  void hugeIndexIsAName() throws FormException {
    assertEquals("{a={100000000=x}}", extended("a[100000000]=x").toString());
    assertEquals("{a={100000000=x}}", QueryString.parse("a[100000000]=x").toString());
    String greatest = "9223372036854775808";
    assertEquals("{a={" + greatest + "=x}}", extended("a[" + greatest + "]=x").toString());
  }

  @Test
  @DisplayName("QS-02: ten thousand items are too many for a form, and cut off in a query")
  void tenThousandItemsAreTooMany() {
    String text = "a[]=x&".repeat(10_000);
    FormException error = assertThrows(FormException.class, () -> extended(text));
    assertEquals(FormException.Reason.TOO_MANY_PARAMETERS, error.reason());
    assertTrue(QueryString.parse(text).get("a") instanceof List<?> list && list.size() == 1000);
  }

  @Test
  @DisplayName("QS-03: commas are not separators")
  void commasAreNotSeparators() throws FormException {
    String commas = ",".repeat(1_000_000);
    assertEquals(Map.of("a", commas), extended("a=" + commas));
    assertEquals(Map.of("a", commas), QueryString.parse("a=" + commas));
  }

  @Test
  @DisplayName("QS-04: after five levels of a query, the rest is one name")
  void theRestAfterFiveLevelsOfAQueryIsOneName() {
    String query = "a[b][c][d][e][f][g][h]=x";
    assertEquals("{a={b={c={d={e={f={[g][h]=x}}}}}}}", QueryString.parse(query).toString());
  }

  @ParameterizedTest
  @DisplayName("QS-05: a hundred kilobytes of brackets are read in one pass")
  @CsvSource({"[,''", "],''", "[],=x", "[b],=x", "[[],''", "]=,''", "%5B,=", "a[,]", "&[,''"})
  void bracketsAreReadInOnePass(String part, String end) {
    String text = "a" + part.repeat(100_000 / part.length()) + end;
    Form form = Form.extended().parameterLimit(1_000_000);
    assertTimeoutPreemptively(SOON, () -> form.parse(text, UTF_8));
    assertTimeoutPreemptively(SOON, () -> QueryString.parse(text));
  }

  @Test
  @DisplayName("QS-06: names of JavaScript prototypes are harmless")
  void namesOfPrototypesDoNoHarm() throws FormException {
    assertEquals("{}", extended("__proto__[x]=1").toString());
    assertEquals("{a={}}", extended("a[__proto__][y]=1").toString());
    assertEquals("{a={hasOwnProperty=1}}", extended("a[hasOwnProperty]=1").toString());
    assertEquals("{toString=1}", Form.simple().parse("[toString]=1", UTF_8).toString());
    assertEquals(
        "{constructor={prototype={x=1}}}", extended("constructor[prototype][x]=1").toString());
  }

  @Test
  @DisplayName("QS-07: strings that are merged into maps repeatedly do not nest deeper")
  void stringsMergedIntoMapsDoNotNestDeeper() throws FormException {
    assertEquals("{a={0=1, length=1e9}}", extended("a[0]=1&a[length]=1e9").toString());
    Map<String, Object> met = extended("a=1&a[b]=2&a[b]=3&".repeat(333));
    assertTrue(depth(met) <= 4, met::toString);
    StringBuilder text = new StringBuilder("a[b]=0");
    IntStream.range(1, 500).forEach(i -> text.append("&a=").append(i).append("&a[c").append(i));
    assertTrue(depth(extended(text.toString())) <= 4);
  }

  @Test
  @DisplayName("QS-08: names that collide, and one name a thousand times, stay fast")
  void namesThatCollideStayFast() {
    String colliding =
        IntStream.range(0, 1000)
            .mapToObj(i -> collision(i) + "=1")
            .collect(Collectors.joining("&"));
    assertEquals(1000, assertTimeoutPreemptively(SOON, () -> extended(colliding)).size());
    String below =
        IntStream.range(0, 1000)
            .mapToObj(i -> "a[" + collision(i) + "]=1")
            .collect(Collectors.joining("&"));
    assertEquals(1, assertTimeoutPreemptively(SOON, () -> extended(below)).size());
    String same = "a=1&".repeat(999) + "a=1";
    assertTrue(
        assertTimeoutPreemptively(SOON, () -> extended(same)).get("a") instanceof List<?> list
            && list.size() == 1000);
  }

  @ParameterizedTest
  @DisplayName("QS-09: malformed escapes do not change")
  @CsvSource({
    "a=%,%",
    "a=%zz,%zz",
    "a=%c0%af,%c0%af",
    "a=+,' '",
    "a=%2B,+",
    "a=1;b=2,1;b=2",
    "a=%,%",
    "a=%4,%4"
  })
  void malformedEscapesStay(String text, String value) throws FormException {
    assertEquals(Map.of("a", value), extended(text));
    assertEquals(Map.of("a", "\0"), extended("a=%00"));
  }

  @Test
  @DisplayName("QS-10: sentinel and entities are options")
  void sentinelAndEntitiesAreOptions() throws FormException {
    Map<String, Object> plain = extended("utf8=%E2%9C%93&a=%26%2365%3B");
    assertEquals(Map.of("utf8", "\u2713", "a", "&#65;"), plain);
    Form form = Form.extended().interpretNumericEntities(true).charsetSentinel(true);
    String latin = "utf8=%26%2310003%3B&a=";
    assertEquals(1, form.parse(latin + "%26%231114112%3B", UTF_8).size());
    assertEquals(1, form.parse(latin + "%26%239999999999%3B", UTF_8).size());
    assertEquals("{a=A}", form.parse(latin + "%26%2365%3B", UTF_8).toString());
  }

  private static Map<String, Object> extended(String text) throws FormException {
    return Form.extended().parse(text, UTF_8);
  }

  /** Creates one of many names with the same hash code. */
  private static String collision(int number) {
    StringBuilder name = new StringBuilder();
    for (int bit = 0; bit < 10; bit++) {
      name.append((number >> bit & 1) == 0 ? "Aa" : "BB");
    }
    return name.toString();
  }

  private static int depth(Object value) {
    if (value instanceof Map<?, ?> map) {
      return 1 + map.values().stream().mapToInt(HostileFormTest::depth).max().orElse(0);
    }
    if (value instanceof List<?> list) {
      return 1 + list.stream().mapToInt(HostileFormTest::depth).max().orElse(0);
    }
    return 0;
  }
}

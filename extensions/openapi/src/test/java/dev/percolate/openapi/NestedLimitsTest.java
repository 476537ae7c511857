package dev.percolate.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that each limit in the document is checked, at any depth and without {@code @Valid}. */
final class NestedLimitsTest {

  record Line(@Max(10) int n, @Size(max = 3) String t) {}

  record Box(Line line) {}

  /** A group of constraints that is never requested. */
  interface Strict {}

  @SuppressWarnings("ArrayRecordComponent") // arrays are checked too
  record Order(
      @Nullable Line line,
      @Nullable Box box,
      List<Line> lines,
      List<List<Line>> rows,
      Map<String, Line> named,
      Map<String, List<Box>> boxes,
      Optional<Line> maybe,
      @Nullable Set<Line> set,
      Line @Nullable [] array,
      @Valid @Nullable Line valid,
      List<@Valid Line> valids,
      @Max(value = 5, groups = Strict.class) @Nullable Integer strict) {}

  record Price(
      @DecimalMin("0.5") BigDecimal least,
      @DecimalMin(value = "0.5", inclusive = false) BigDecimal above,
      @DecimalMax("9") BigDecimal most,
      @DecimalMax(value = "9", inclusive = false) BigDecimal below) {}

  private final App app = new App();

  NestedLimitsTest() {
    app.use(OpenApi.of(app));
    app.post(
        "/orders",
        Api.of("Adds").body(Order.class).response(200, String.class),
        (req, res) -> res.json("fine"));
    app.post(
        "/many",
        Api.of("Adds").body(Line[].class).response(200, String.class),
        (req, res) -> res.json("fine"));
    app.post(
        "/prices",
        Api.of("Adds").body(Price.class).response(200, String.class),
        (req, res) -> res.json("fine"));
  }

  @BeforeAll
  static void load() {
    Torture.load();
  }

  private Reply post(String path, String json) {
    return Call.post(path).header("Content-Type", "application/json").body(json).to(app);
  }

  private static String with(String field, String value) {
    String empty =
        "{\"lines\":[],\"rows\":[],\"named\":{},\"boxes\":{},\"valids\":[],\"maybe\":null";
    boolean list = empty.contains("\"" + field + "\":");
    String rest = list ? empty.replaceAll(",?\"" + field + "\":(\\[]|\\{}|null)", "") : empty;
    return rest.replace("{,", "{")
        + (rest.equals("{") ? "" : ",")
        + "\""
        + field
        + "\":"
        + value
        + "}";
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "line | %s | /line",
        "box | {\"line\":%s} | /box/line",
        "lines | [%s] | /lines/0",
        "rows | [[],[%s]] | /rows/1/0",
        "named | {\"a\":%s} | /named/a",
        "boxes | {\"a\":[{\"line\":%s}]} | /boxes/a/0/line",
        "maybe | %s | /maybe",
        "array | [%s] | /array/0",
        "valid | %s | /valid",
        "valids | [%s] | /valids/0"
      })
  void aLimitIsCheckedAtAnyDepth(String field, String form, String pointer) {
    Reply fine = post("/orders", with(field, form.formatted("{\"n\":10,\"t\":\"abc\"}")));
    assertEquals(200, fine.status(), fine::toString);
    Reply wrong = post("/orders", with(field, form.formatted("{\"n\":99,\"t\":\"toolong\"}")));
    assertEquals(422, wrong.status(), wrong::toString);
    assertEquals(2, RejectionTest.faults(wrong).size(), wrong::toString); // each once
    assertTrue(wrong.text().contains("\"" + pointer + "/n\""), wrong::toString);
    assertTrue(wrong.text().contains("\"" + pointer + "/t\""), wrong::toString);
  }

  @Test
  void theLastEntryOfALongListIsChecked() {
    String good = "{\"n\":1,\"t\":\"a\"},".repeat(5000);
    Reply wrong = post("/many", "[" + good + "{\"n\":11,\"t\":\"a\"}]");
    assertEquals(422, wrong.status());
    assertEquals(List.of("/5000/n must be less than or equal to 10"), RejectionTest.faults(wrong));
  }

  @Test
  void aLimitThatIsNotCheckedIsNotInTheDocument() {
    String document = Call.get("/openapi.json").to(app).text();
    assertTrue(document.contains("\"maximum\":10"), document);
    assertFalse(document.contains("\"maximum\":5"), document);
    assertEquals(200, post("/orders", with("strict", "6")).status());
  }

  @Test
  void messagesHaveNoExpressions() {
    Reply wrong = post("/prices", "{\"least\":0.4,\"above\":0.5,\"most\":10,\"below\":9}");
    assertEquals(
        List.of(
            "/above must be greater than 0.5",
            "/below must be less than 9",
            "/least must be greater than or equal to 0.5",
            "/most must be less than or equal to 9"),
        RejectionTest.faults(wrong));
  }
}

package dev.percolate.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.percolate.core.TypeRef;
import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Row DOS-13: bodies that are expensive to check, or that aim to be repeated in responses. */
class HostileBodiesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
  sealed interface Expression permits Sum, Product {}

  record Sum(@Nullable Expression of, @Nullable Integer sum) implements Expression {}

  record Product(@Nullable Expression of, @Nullable Integer product) implements Expression {}

  record Code(@Pattern(regexp = "(a+)+b") String text) {}

  @BeforeAll
  static void load() {
    Torture.load();
  }

  private static Reply post(TypeRef<?> type, String json) {
    App app = new App();
    app.post(
        "/", Api.of("x").body(type).limit("2mb").response(204), (req, res) -> res.sendStatus(204));
    return assertTimeoutPreemptively(
        PATIENCE,
        () -> Call.post("/").header("Content-Type", "application/json").body(json).to(app));
  }

  @Test
  void deepNestingIsAcceptedOrAClientError() {
    for (int depth : new int[] {100, 480, 900, 5000}) {
      String open = "{\"name\":\"x\",\"children\":[".repeat(depth);
      Reply reply = post(new TypeRef<Torture.Node>() {}, open + "]}".repeat(depth));
      assertTrue(reply.status() == 204 || reply.status() == 400, depth + ": " + reply.text());
      Reply broken = post(new TypeRef<Torture.Node>() {}, open + "7" + "]}".repeat(depth));
      assertEquals(400, broken.status(), broken.text());
    }
  }

  @Test
  void atMostFiftyFaultsAreReported() {
    String many = "7,".repeat(100_000) + "7";
    Reply reply = post(new TypeRef<List<Torture.Order>>() {}, "[" + many + "]");
    assertEquals(400, reply.status());
    assertEquals(50, ((List<?>) reply.json(Map.class).get("errors")).size());
    String detail = String.valueOf(reply.json(Map.class).get("detail"));
    assertEquals(
        "JSON value \"/0\": expected an object; JSON value \"/1\": expected an object;"
            + " JSON value \"/2\": expected an object; and 47 more",
        detail);
  }

  @Test
  void longKeysAndNamesAreTruncated() {
    String key = "k".repeat(8000);
    Reply reply = post(new TypeRef<Map<String, Integer>>() {}, "{\"" + key + "\":\"x\"}");
    assertEquals(
        List.of(
            "/" + "k".repeat(64) + "\u2026 expected a whole number from -2147483648 to 2147483647"),
        RejectionTest.faults(reply));
    App app = new App();
    app.get("/", Api.of("x").strictQuery().response(204), (req, res) -> res.sendStatus(204));
    assertTrue(Call.get("/?" + key + "=1").to(app).text().length() < 400);
  }

  @Test
  void sentValuesAreNotEchoed() {
    String secret = "hunter2hunter2";
    Reply reply =
        post(
            new TypeRef<Torture.Everything>() {},
            "{\"id\":\"" + secret + "\",\"color\":\"" + secret + "\"}");
    assertEquals(400, reply.status());
    assertTrue(!reply.text().contains(secret), reply.text());
    reply =
        post(
            new TypeRef<Torture.Limits>() {},
            "{\"names\":[\""
                + secret
                + "\"],\"counts\":{},\"pair\":[1,2],\"ratio\":1,\"below\":-1,\"above\":1,\"least\":0,\"agreed\":true}");
    assertEquals(422, reply.status(), reply.text());
    assertTrue(!reply.text().contains(secret), reply.text());
  }

  @Test
  void namesInPointersAreEscaped() {
    Reply reply =
        post(
            new TypeRef<Map<String, Torture.Line>>() {},
            "{\"a/b~c\":{\"title\":\"x\",\"price\":\"y\"}}");
    assertEquals(
        List.of("/a~1b~0c/price expected a whole number from -2147483648 to 2147483647"),
        RejectionTest.faults(reply));
  }

  @Test
  void nestedTypesAreNotTriedExponentiallyOften() {
    String inner = "{\"of\":".repeat(60) + "null" + ",\"sum\":\"x\",\"product\":\"x\"}".repeat(60);
    Reply reply = post(new TypeRef<Expression>() {}, inner);
    assertEquals(400, reply.status(), reply.text());
  }

  @Test
  void patternsThatBacktrackEndInTime() {
    Reply reply = post(new TypeRef<Code>() {}, "{\"text\":\"" + "a".repeat(60) + "\"}");
    assertEquals(422, reply.status(), reply.text());
  }
}

package dev.percolate.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.framework.App;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RejectionTest {

  private static final String LINE = "{\"title\":\"x\",\"price\":1}";
  private static final String GOOD = "{\"customer\":\"Ann\",\"lines\":[" + LINE + "]}";

  private final App app = Torture.app();

  @BeforeAll
  static void load() {
    Torture.load();
  }

  @Test
  void validRequestsReachTheHandler() {
    Reply reply = post("/orders", GOOD);
    assertEquals(201, reply.status(), reply.text());
    assertEquals("Ann", reply.json(Map.class).get("customer"));
  }

  @Test
  void allTypeFaultsAreReportedWithPointers() {
    Reply reply =
        post(
            "/orders",
            "{\"mail\":1,\"lines\":[{\"price\":\"x\"},7,{\"title\":null,\"price\":1.5}]}");
    assertEquals(400, reply.status());
    assertEquals("application/problem+json", reply.header("Content-Type"));
    assertEquals(
        List.of(
            "/customer is missing",
            "/lines/0/price expected a whole number from -2147483648 to 2147483647",
            "/lines/0/title is missing",
            "/lines/1 expected an object",
            "/lines/2/price expected a whole number from -2147483648 to 2147483647",
            "/lines/2/title is missing",
            "/mail expected a string"),
        faults(reply));
  }

  @Test
  void allViolationsAreReportedWithPointers() {
    Reply reply =
        post(
            "/orders",
            "{\"customer\":\" \",\"stars\":9,\"lines\":[{\"title\":\"a\",\"price\":0},"
                + LINE
                + "]}");
    assertEquals(422, reply.status(), reply.text());
    assertEquals(
        List.of(
            "/customer must not be blank",
            "/lines/0/price must be greater than 0",
            "/stars must be less than or equal to 5"),
        faults(reply));
  }

  @Test
  void violationsAreReportedInTheLanguageOfTheRequest() {
    Reply reply =
        Call.post("/orders")
            .header("Content-Type", "application/json")
            .header("Accept-Language", "de")
            .body(GOOD.replace("Ann", " "))
            .to(app);
    assertEquals(List.of("/customer darf nicht leer sein"), faults(reply));
  }

  @Test
  void missingBodiesAndOtherMediaTypesAreRejected() {
    assertEquals(
        415, Call.post("/orders").header("Content-Type", "text/plain").body("x").to(app).status());
    assertEquals(400, Call.post("/orders").to(app).status());
    assertEquals(
        "JSON: unexpected end of text at line 1, column 2",
        post("/orders", "{").json(Map.class).get("detail"));
    assertEquals(413, post("/orders", "\"" + "x".repeat(200_000) + "\"").status());
    assertEquals(415, Call.post("/login").json(Map.of()).to(app).status());
  }

  @Test
  void formatsAndRangesAreChecked() {
    App one = new App();
    one.post(
        "/",
        Api.of("x").body(Torture.Everything.class).response(204),
        (req, res) -> res.sendStatus(204));
    List<String> faults =
        faults(
            post(
                one,
                "/",
                "{\"number\":3000000000,\"big\":1e30,\"id\":\"x\",\"date\":\"2026-02-30\",\"time\":\"now\","
                    + "\"color\":\"GREEN\",\"shape\":{\"kind\":\"Oval\"},\"maybeColor\":null}"));
    assertTrue(faults.contains("/number expected a whole number from -2147483648 to 2147483647"));
    assertTrue(faults.contains("/id expected a UUID"));
    assertTrue(faults.contains("/date expected a date such as 2026-01-02"));
    assertTrue(faults.contains("/time expected a time such as 2026-01-02T03:04:05Z"));
    assertTrue(faults.contains("/color expected one of RED, dark-green"));
    assertTrue(faults.contains("/shape/kind expected one of Circle, Square"), faults::toString);
    assertTrue(faults.contains("/secret is missing"));
    assertTrue(!faults.toString().contains("/madeHere"), faults::toString);
  }

  @Test
  void allParameterFaultsAreReported() {
    Reply reply = Call.get("/shapes/7?page=x&color=red&color=blue").header("X-Trace", "t").to(app);
    assertEquals(400, reply.status());
    assertEquals(
        List.of(
            "X-Trace expected a UUID",
            "color expected one of RED, dark-green",
            "page expected a whole number from -2147483648 to 2147483647",
            "q is missing"),
        faults(reply));
    assertEquals(200, Call.get("/shapes/7?q=x&page=&unknown=1").to(app).status());
  }

  @Test
  void strictQueryRejectsUndeclaredParameters() {
    App one = new App();
    one.get(
        "/",
        Api.of("x").query("a", int.class).strictQuery().response(204),
        (req, res) -> res.sendStatus(204));
    assertEquals(List.of("b is not known"), faults(Call.get("/?a=1&b=2").to(one)));
    assertEquals(204, Call.get("/?a=1").to(one).status());
  }

  @Test
  void formsFilesAndTextsAreChecked() {
    assertEquals(204, Call.post("/login").form("user", "ann").form("age", "").to(app).status());
    assertEquals(
        List.of("age expected a whole number from -2147483648 to 2147483647", "user is missing"),
        faults(Call.post("/login").form("age", "old").to(app)));
    assertEquals(
        201,
        Call.post("/uploads")
            .form("title", "x")
            .file("cover", "c.png", "image/png", new byte[] {1})
            .to(app)
            .status());
    assertEquals(
        List.of("cover is missing"),
        faults(
            Call.post("/uploads")
                .form("title", "x")
                .file("other", "c.png", "image/png", new byte[] {1})
                .to(app)));
    assertEquals(
        200,
        Call.put("/files/a").header("Content-Type", "text/plain").body("hello").to(app).status());
  }

  @Test
  void theDescriptionMayBeBeforeOrAfterAParserInChainsAndUse() {
    Api api = Api.of("x").body(Torture.Order.class).response(204);
    App one = new App();
    one.use("/used", api);
    one.use("/used", (req, res) -> res.sendStatus(204));
    one.post("/chain", Chain.of(api, BodyParsers.json()), (req, res) -> res.sendStatus(204));
    one.use(BodyParsers.json());
    one.all("/all", api, (req, res) -> res.sendStatus(204));
    one.route("/route").post(api, (req, res) -> res.sendStatus(204));
    for (String path : List.of("/used", "/chain", "/all", "/route")) {
      assertEquals(204, post(one, path, GOOD).status(), path);
      assertEquals(400, post(one, path, "{}").status(), path);
    }
  }

  @Test
  void browsersGetTheErrorHandlersOfTheApplication() {
    app.use((error, req, res, next) -> res.status(400).send("<p>sorry"));
    Reply reply = Call.post("/orders").header("Accept", "text/html").to(app);
    assertEquals("<p>sorry", reply.text());
  }

  @Test
  void invalidOptionsAreRejected() {
    assertThrows(IllegalArgumentException.class, () -> void_(Api.of("x").response(99)));
    assertThrows(
        IllegalArgumentException.class, () -> void_(Api.of("x").body("nonsense", String.class)));
    assertThrows(IllegalArgumentException.class, () -> void_(Api.of("x").limit("10 bananas")));
    assertThrows(
        IllegalArgumentException.class, () -> void_(Api.of("x").header("Accept", String.class)));
  }

  private static void void_(Api ignored) {}

  private Reply post(String path, String json) {
    return post(app, path, json);
  }

  private static Reply post(App app, String path, String json) {
    return Call.post(path).header("Content-Type", "application/json").body(json).to(app);
  }

  /** Returns the entries of the faults, sorted. */
  static List<String> faults(Reply reply) {
    Object errors = reply.json(Map.class).get("errors");
    TreeSet<String> faults = new TreeSet<>();
    for (Object one : errors instanceof List<?> list ? list : List.of()) {
      Map<?, ?> fault = (Map<?, ?>) one;
      Object name = fault.containsKey("pointer") ? fault.get("pointer") : fault.get("parameter");
      faults.add(name + " " + fault.get("detail"));
    }
    return List.copyOf(faults);
  }
}

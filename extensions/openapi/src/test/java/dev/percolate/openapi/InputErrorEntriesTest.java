package dev.percolate.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.percolate.core.ErrorHandler;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.ProblemDetails;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import jakarta.validation.constraints.Positive;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests that a fault has the same entry, whatever reads the input. */
class InputErrorEntriesTest {

  record Line(String article, @Positive int count) {}

  record Order(String customer, List<Line> lines, @Nullable String note) {}

  record Page(int number) {}

  record Search(String text, @Nullable Page page) {}

  private static final String INT = "expected a whole number from -2147483648 to 2147483647";

  /** Serves each kind of input twice: read by a handler, and described. */
  private static App app() {
    App app = new App();
    app.use(BodyParsers.json());
    app.use(BodyParsers.urlencoded());
    app.post("/plain/json", (req, res) -> res.json(req.body(Order.class)));
    app.post("/api/json", Api.of("x").body(Order.class), (req, res) -> res.end());
    app.get("/plain/record", (req, res) -> res.json(req.query(Search.class)));
    app.get("/api/record", Api.of("x").query(Search.class), (req, res) -> res.end());
    app.get("/plain/one", (req, res) -> res.json(req.queryRequired("n", int.class)));
    app.get("/api/one", Api.of("x").queryRequired("n", int.class), (req, res) -> res.end());
    app.get("/plain/path/:id", (req, res) -> res.json(req.params().required("id", int.class)));
    app.get("/api/path/:id", Api.of("x").path("id", int.class), (req, res) -> res.end());
    app.post("/plain/form", (req, res) -> res.json(req.form(Search.class)));
    app.post("/api/form", Api.of("x").form(Search.class), (req, res) -> res.end());
    app.post("/plain/field", (req, res) -> res.json(req.formRequired("n", int.class)));
    app.post("/api/field", Api.of("x").formRequired("n", int.class), (req, res) -> res.end());
    app.get(
        "/api/rest",
        Api.of("x").headerRequired("X-N", int.class).cookie("c", int.class).strictQuery(),
        (req, res) -> res.end());
    return app;
  }

  private final App app = app().use(ProblemDetails.json());

  private Reply json(String path, String json) {
    return Call.post(path)
        .header("Content-Type", "application/json")
        .body(json.replace('\'', '"'))
        .to(app);
  }

  private static Object errors(Reply reply, int status) {
    assertEquals(status, reply.status(), reply.text());
    Object errors = reply.json(Map.class).get("errors");
    assertNotNull(errors, reply.text());
    return errors;
  }

  private static Map<String, String> entry(String place, String name, String code, String detail) {
    return Map.of(place, name, "code", code, "detail", detail);
  }

  @Test
  void ofJson() {
    String body = "{'customer':7,'lines':[{'count':'x'},7,{'article':'a','count':null}],'note':[]}";
    List<Map<String, String>> entries =
        List.of(
            entry("pointer", "/customer", "value.invalid", "expected a string"),
            entry("pointer", "/lines/0/article", "value.missing", "is missing"),
            entry("pointer", "/lines/0/count", "value.invalid", INT),
            entry("pointer", "/lines/1", "value.invalid", "expected an object"),
            entry("pointer", "/lines/2/count", "value.missing", "is missing"),
            entry("pointer", "/note", "value.invalid", "expected a string"));
    assertEquals(entries, errors(json("/plain/json", body), 400));
    assertEquals(entries, errors(json("/api/json", body), 400));
    assertEquals(json("/plain/json", body).text(), json("/api/json", body).text());
  }

  @Test
  void ofBodiesAsAWhole() {
    for (String body : List.of("{", "[1]", "7", "{'customer':")) {
      Reply plain = json("/plain/json", body);
      assertEquals(400, plain.status());
      assertEquals(plain.text(), json("/api/json", body).text());
    }
    Reply missing = Call.post("/plain/json").to(app);
    assertEquals("entity.absent", missing.json(Map.class).get("code"));
    assertEquals(missing.text(), Call.post("/api/json").to(app).text());
    assertNull(missing.json(Map.class).get("errors"));
    Call text = Call.post("/api/json").header("Content-Type", "text/plain").body("x");
    Call same = Call.post("/plain/json").header("Content-Type", "text/plain").body("x");
    for (Reply reply : List.of(text.to(app), same.to(app))) {
      assertEquals(415, reply.status());
      assertEquals("entity.type.unsupported", reply.json(Map.class).get("code"));
      assertNull(reply.json(Map.class).get("errors"));
    }
  }

  @Test
  void ofParametersAndFields() {
    List<Map<String, String>> record =
        List.of(
            entry("parameter", "text", "value.missing", "is missing"),
            entry("parameter", "page[number]", "value.invalid", INT));
    String query = "?page%5Bnumber%5D=x";
    assertEquals(record, errors(Call.get("/plain/record" + query).to(app), 400));
    assertEquals(record, errors(Call.get("/api/record" + query).to(app), 400));
    for (String path : List.of("/plain/form", "/api/form")) {
      assertEquals(record, errors(Call.post(path).form("page[number]", "x").to(app), 400));
    }
    List<Map<String, String>> missing =
        List.of(entry("parameter", "n", "value.missing", "is missing"));
    List<Map<String, String>> invalid = List.of(entry("parameter", "n", "value.invalid", INT));
    for (String way : List.of("/plain", "/api")) {
      assertEquals(missing, errors(Call.get(way + "/one").to(app), 400));
      assertEquals(invalid, errors(Call.get(way + "/one?n=x").to(app), 400));
      assertEquals(missing, errors(Call.post(way + "/field").form("m", "1").to(app), 400));
      assertEquals(invalid, errors(Call.post(way + "/field").form("n", "x").to(app), 400));
      assertEquals(
          List.of(entry("parameter", "id", "value.invalid", INT)),
          errors(Call.get(way + "/path/x").to(app), 400));
    }
    assertEquals(
        List.of(
            entry("parameter", "X-N", "value.missing", "is missing"),
            entry("parameter", "c", "value.invalid", INT),
            entry("parameter", "q", "value.unknown", "is not known")),
        errors(Call.get("/api/rest?q=1").header("Cookie", "c=x").to(app), 400));
  }

  @Test
  void ofConstraints() {
    Reply reply = json("/api/json", "{'customer':'a','lines':[{'article':'b','count':0}]}");
    assertEquals(
        List.of(entry("pointer", "/lines/0/count", "value.constraint", "must be greater than 0")),
        errors(reply, 422));
  }

  @Test
  void errorHandlersOfTheApplicationComeFirst() {
    App own = app();
    own.use(
        ErrorHandler.of(
            HttpError.class,
            (error, req, res, next) ->
                res.json(422, Map.of("errors", String.valueOf(error.field("errors"))))));
    for (String path : List.of("/plain/json", "/api/json")) {
      Reply reply = Call.post(path).header("Content-Type", "application/json").body("{}").to(own);
      assertEquals(
          Map.of("errors", "[{pointer=/customer, code=value.missing, detail=is missing}]"),
          errorsOf(reply));
    }
  }

  private static Map<?, ?> errorsOf(Reply reply) {
    assertEquals(422, reply.status());
    return reply.json(Map.class);
  }

  @Test
  void withoutErrorHandlersTheResponseIsAProblem() {
    App none = app();
    for (String path : List.of("/plain/json", "/api/json")) {
      Call call = Call.post(path).header("Content-Type", "application/json").body("{}");
      Reply reply = call.to(none);
      assertEquals(400, reply.status());
      assertEquals("application/problem+json", reply.header("Content-Type"));
      assertEquals(json(path, "{}").text(), reply.text());
      Reply browser = call.header("Accept", "text/html").to(none);
      assertEquals("text/html; charset=utf-8", browser.header("Content-Type"));
    }
    for (String path : List.of("/plain/one", "/api/one")) {
      Reply reply = Call.get(path).to(none);
      assertEquals("application/problem+json", reply.header("Content-Type"));
      assertEquals(
          List.of(entry("parameter", "n", "value.missing", "is missing")), errors(reply, 400));
    }
  }
}

package dev.percolate.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.ErrorHandler;
import dev.percolate.core.InputError;
import dev.percolate.core.Settings;
import dev.percolate.core.TypeRef;
import dev.percolate.core.Validation.Violation;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.json.JacksonCodec;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** Tests the constraints of records that are read from requests, with and without a description. */
final class ValidatedInputTest {

  record Line(@NotBlank String article, @Positive int itemCount) {}

  record Order(@Email String mail, @Size(min = 1) List<Line> lines) {}

  record Page(@Positive int number) {}

  record Search(@NotBlank String text, @Nullable Page page) {}

  record Id(@Positive long id) {}

  @SuppressWarnings("NullableOptional") // null is an absent property
  record Change(
      Optional<@NotBlank String> name,
      @Nullable Optional<@NotBlank String> bio,
      @Nullable Optional<@Positive Integer> age) {}

  /** A text that counts how often it is inserted into a message. */
  record Counted(AtomicInteger count) implements CharSequence {

    @Override
    public int length() {
      return 0;
    }

    @Override
    public char charAt(int index) {
      throw new IndexOutOfBoundsException(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return this;
    }

    @Override
    public String toString() {
      count.incrementAndGet();
      return "empty";
    }
  }

  record Texts(List<@Size(min = 1, message = "is ${validatedValue}") Counted> texts) {}

  record Unexplained(@Positive(message = "") int number) {}

  record Weight(@DecimalMin("0.5") BigDecimal weight) {}

  record Node(@NotBlank String name, @Nullable Node next) {}

  record ValidNode(@NotBlank String name, @Valid @Nullable ValidNode next) {}

  @BeforeAll
  static void load() {
    Torture.load();
  }

  /** Serves each kind of input twice: read by a handler, and described. */
  private static App app() {
    App app = new App();
    app.use(BodyParsers.json());
    app.use(BodyParsers.urlencoded());
    app.post("/plain/json", (req, res) -> res.json(req.body(Order.class)));
    app.post("/api/json", Api.of("x").body(Order.class), (req, res) -> res.end());
    app.post("/plain/list", (req, res) -> res.json(req.body(new TypeRef<List<Line>>() {})));
    app.get("/plain/query", (req, res) -> res.json(req.query(Search.class)));
    app.get("/api/query", Api.of("x").query(Search.class), (req, res) -> res.end());
    app.post("/plain/form", (req, res) -> res.json(req.form(Search.class)));
    app.post("/plain/body", (req, res) -> res.json(req.body(Search.class)));
    app.post("/api/form", Api.of("x").form(Search.class), (req, res) -> res.end());
    app.get("/plain/path/:id", (req, res) -> res.json(req.params(Id.class)));
    app.post("/change", (req, res) -> res.json(String.valueOf(req.body(Change.class))));
    app.post("/node", (req, res) -> res.json(req.body(Node.class) != null));
    app.post("/valid", (req, res) -> res.json(req.body(ValidNode.class) != null));
    return app;
  }

  private final App app = app();

  private static Call json(String path, String json) {
    return Call.post(path).header("Content-Type", "application/json").body(json.replace('\'', '"'));
  }

  private static Map<String, String> pointer(String pointer, String detail) {
    return Map.of("pointer", pointer, "code", "value.constraint", "detail", detail);
  }

  private static Map<String, String> parameter(String name, String detail) {
    return Map.of("parameter", name, "code", "value.constraint", "detail", detail);
  }

  private static void assertErrors(Reply reply, List<Map<String, String>> errors) {
    assertEquals(422, reply.status(), reply::toString);
    assertEquals("application/problem+json", reply.header("Content-Type"));
    assertEquals("entity.invalid", reply.json(Map.class).get("code"));
    assertEquals(errors, reply.json(Map.class).get("errors"));
  }

  @Test
  void ofJson() {
    String body =
        "{'mail':'x','lines':[{'article':'a','itemCount':1},{'article':' ','itemCount':0}]}";
    for (String path : List.of("/plain/json", "/api/json")) {
      assertErrors(
          json(path, body).to(app),
          List.of(
              pointer("/lines/1/article", "must not be blank"),
              pointer("/lines/1/itemCount", "must be greater than 0"),
              pointer("/mail", "must be a well-formed email address")));
    }
    assertErrors(
        json("/plain/list", "[{'article':'a','itemCount':0}]").to(app),
        List.of(pointer("/0/itemCount", "must be greater than 0")));
    assertEquals(
        200,
        json("/plain/json", "{'mail':'a@b.c','lines':[{'article':'a','itemCount':1}]}")
            .to(app)
            .status());
  }

  @Test
  void ofFormsQueriesAndPaths() {
    List<Map<String, String>> errors =
        List.of(
            parameter("page[number]", "must be greater than 0"),
            parameter("text", "must not be blank"));
    for (String path : List.of("/plain/query", "/api/query")) {
      assertErrors(Call.get(path + "?text=%20&page%5Bnumber%5D=0").to(app), errors);
    }
    for (String path : List.of("/plain/form", "/plain/body", "/api/form")) {
      Call call = Call.post(path).form("text", " ").form("page[number]", "0");
      assertErrors(call.to(app), errors);
    }
    assertErrors(
        Call.get("/plain/path/0").to(app), List.of(parameter("id", "must be greater than 0")));
    assertEquals("{\"id\":7}", Call.get("/plain/path/7").to(app.set("json spaces", 0)).text());
    assertEquals(400, Call.get("/plain/path/x").to(app).status());
  }

  @Test
  void pointersHaveTheNamesOfTheJson() {
    JsonMapper mapper =
        JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
    App snake = app().set(Settings.JSON_CODEC, JacksonCodec.of(mapper));
    String body = "{'mail':'a@b.c','lines':[{'article':'a','item_count':0}]}";
    for (String path : List.of("/plain/json", "/api/json")) {
      assertErrors(
          json(path, body).to(snake),
          List.of(pointer("/lines/0/item_count", "must be greater than 0")));
    }
  }

  @Test
  void wrongTypesAreReportedBeforeConstraints() {
    Reply reply = json("/plain/json", "{'mail':'x','lines':[{'article':1,'itemCount':0}]}").to(app);
    assertEquals(400, reply.status());
    assertEquals(
        List.of(
            Map.of(
                "pointer",
                "/lines/0/article",
                "code",
                "value.invalid",
                "detail",
                "expected a string")),
        reply.json(Map.class).get("errors"));
  }

  @Test
  void messagesAreInTheLanguageOfTheRequest() {
    Call call = json("/plain/list", "[{'article':' ','itemCount':1}]");
    assertErrors(
        call.header("Accept-Language", "de-AT, en;q=0.5").to(app),
        List.of(pointer("/0/article", "darf nicht leer sein")));
    assertErrors(call.to(app), List.of(pointer("/0/article", "must not be blank")));
  }

  @Test
  void anOwnFormatTakesFiveLines() {
    App own = app();
    own.use(
        ErrorHandler.of(
            HttpError.class,
            (error, req, res, next) -> res.json(422, Map.of("errors", InputError.byField(error)))));
    for (String path : List.of("/plain/json", "/api/json")) {
      Reply invalid = json(path, "{'mail':'x','lines':[]}").to(own);
      assertEquals(422, invalid.status());
      assertEquals(
          Map.of(
              "errors",
              Map.of(
                  "mail", List.of("must be a well-formed email address"),
                  "lines", List.of("size must be between 1 and 2147483647"))),
          invalid.json(Map.class));
      Reply missing = json(path, "{'lines':[{'article':'a'}]}").to(own);
      assertEquals(
          Map.of(
              "errors", Map.of("mail", List.of("is missing"), "itemCount", List.of("is missing"))),
          missing.json(Map.class));
    }
    assertEquals(
        Map.of("errors", Map.of("number", List.of("must be greater than 0"))),
        Call.get("/plain/query?text=a&page%5Bnumber%5D=0").to(own).json(Map.class));
  }

  @Test
  void partialUpdatesDistinguishAbsentNullAndValue() {
    assertEquals("Change[name=Optional.empty, bio=null, age=null]", change("{}"));
    assertEquals(
        "Change[name=Optional.empty, bio=Optional.empty, age=Optional.empty]",
        change("{'name':null,'bio':null,'age':null}"));
    assertEquals(
        "Change[name=Optional[a], bio=Optional[b], age=Optional[3]]",
        change("{'name':'a','bio':'b','age':3}"));
    assertErrors(
        json("/change", "{'name':' ','bio':' ','age':0}").to(app),
        List.of(
            pointer("/age", "must be greater than 0"),
            pointer("/bio", "must not be blank"),
            pointer("/name", "must not be blank")));
    assertEquals(400, json("/change", "{'age':'x'}").to(app).status());
  }

  private String change(String json) {
    Reply reply = json("/change", json).to(app);
    assertEquals(200, reply.status(), reply::toString);
    return reply.json(String.class);
  }

  @Test
  void partialUpdatesByForm() {
    assertEquals(
        "Change[name=Optional.empty, bio=null, age=null]",
        Call.post("/change").form("other", "1").to(app).json(String.class));
    assertEquals(
        "Change[name=Optional[a], bio=Optional[b], age=Optional.empty]",
        Call.post("/change")
            .form("name", "a")
            .form("bio", "b")
            .form("age", "")
            .to(app)
            .json(String.class));
  }

  @Test
  void eachOfAHundredLevelsIsChecked() {
    String deepest = "/next".repeat(99) + "/name";
    for (String path : List.of("/node", "/valid")) {
      assertEquals(200, json(path, nested("a")).to(app).status());
      assertErrors(json(path, nested(" ")).to(app), List.of(pointer(deepest, "must not be blank")));
    }
  }

  private static String nested(String deepest) {
    return "{'name':'a','next':".repeat(99) + "{'name':'" + deepest + "'}" + "}".repeat(99);
  }

  @Test
  void atMostFiftyViolationsAreReported() {
    String lines = "[" + "{'article':' ','itemCount':0},".repeat(3000) + "{}]";
    Reply missing = json("/plain/list", lines).to(app);
    assertEquals(400, missing.status());
    Reply reply = json("/plain/list", lines.replace(",{}", "")).to(app);
    assertEquals(422, reply.status());
    assertEquals(50, ((List<?>) reply.json(Map.class).get("errors")).size());
  }

  @Test
  void messagesAreOnlyCreatedForReportedViolations() {
    AtomicInteger count = new AtomicInteger();
    List<Counted> texts = Stream.generate(() -> new Counted(count)).limit(1000).toList();
    Set<Violation> expected =
        IntStream.range(0, 50)
            .mapToObj(i -> new Violation(List.of("texts", i), "is empty"))
            .collect(Collectors.toSet());
    List<Violation> violations = violations(new Texts(texts));
    assertEquals(50, violations.size());
    assertEquals(expected, Set.copyOf(violations));
    assertEquals(50, count.get());
    List<Violation> ofTwo = violations(List.of(new Texts(texts.subList(0, 30)), new Texts(texts)));
    assertEquals(50, ofTwo.size());
    assertEquals(100, count.get());
  }

  @Test
  void anEmptyMessageIsAMessage() {
    assertEquals(List.of(new Violation(List.of("number"), "")), violations(new Unexplained(0)));
  }

  @Test
  void messagesWithExpressionsCauseNoLogLines() throws ReflectiveOperationException {
    // Uses reflection, since the module does not require java.logging.
    Class<?> filter = Class.forName("java.util.logging.Filter");
    Class<?> type = Class.forName("java.util.logging.Logger");
    Method set = type.getMethod("setFilter", filter);
    Object logger =
        type.getMethod("getLogger", String.class)
            .invoke(
                null, "org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator");
    AtomicInteger lines = new AtomicInteger();
    set.invoke(
        logger,
        Proxy.newProxyInstance(
            ValidatedInputTest.class.getClassLoader(),
            new Class<?>[] {filter},
            (proxy, method, arguments) -> lines.incrementAndGet() < 0));
    try {
      assertEquals(
          List.of(new Violation(List.of("weight"), "must be greater than or equal to 0.5")),
          violations(new Weight(BigDecimal.ZERO)));
    } finally {
      set.invoke(logger, new Object[] {null});
    }
    assertEquals(0, lines.get());
  }

  private static List<Violation> violations(Object value) {
    return Objects.requireNonNull(new JacksonCodec().validation()).check(value, () -> Locale.ROOT);
  }

  @Test
  void anApplicationCanHaveItsOwnValidationOrNone() {
    App none = app().set(Settings.VALIDATION, (value, locale) -> List.of());
    assertEquals(200, json("/plain/list", "[{'article':' ','itemCount':0}]").to(none).status());
    App inner = app();
    none.use("/in", inner);
    assertEquals(200, json("/in/plain/list", "[{'article':' ','itemCount':0}]").to(none).status());
    assertEquals(422, json("/plain/list", "[{'article':' ','itemCount':0}]").to(app).status());
  }
}

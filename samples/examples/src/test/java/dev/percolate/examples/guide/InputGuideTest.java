package dev.percolate.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Conversions;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.InputError;
import dev.percolate.core.Settings;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.json.JacksonCodec;
import dev.percolate.multipart.Multipart;
import dev.percolate.multipart.Upload;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** Code of the pages on input, JSON, forms and uploads. */
final class InputGuideTest {

  @Test
  void inputHasTypes() {
    // #region typed
    App app = new App();
    app.get(
        "/users/:id/orders",
        (req, res) -> {
          long id = req.params().required("id", Long.class); // 400 if not a number
          int page = req.query("page", int.class, 1);
          List<Long> tags = req.queryAll("tag", Long.class);
          LocalDate from = req.queryRequired("from", LocalDate.class); // 400 if missing
          res.send(id + " " + page + " " + tags + " " + from.getYear());
        });
    // #endregion typed
    assertEquals(
        "7 1 [1, 2] 2026", Call.get("/users/7/orders?tag=1&tag=2&from=2026-01-02").to(app).text());
    assertEquals(400, Call.get("/users/x/orders?from=2026-01-02").to(app).status());
    assertEquals(400, Call.get("/users/7/orders").to(app).status());
  }

  // #region money
  record Money(BigDecimal amount) {
    static Money parse(String text) { // an IllegalArgumentException is a 400
      return new Money(new BigDecimal(text.replace(" EUR", "")));
    }
  }

  // #endregion money

  @Test
  void anApplicationAddsTypes() {
    // #region own-type
    App app = new App();
    app.set(
        Conversions.SETTING,
        Conversions.standard().with(Money.class, "an amount such as 3.50 EUR", Money::parse));
    app.get("/pay", (req, res) -> res.send("" + req.queryRequired("sum", Money.class).amount()));
    // #endregion own-type
    assertEquals("3.50", Call.get("/pay?sum=3.50%20EUR").to(app).text());
    assertEquals(400, Call.get("/pay?sum=much").to(app).status());
  }

  // #region record
  record Order(String customer, List<Line> lines) {}

  record Line(String article, int count) {
    Line {
      if (count < 1) {
        throw new IllegalArgumentException("count must be positive");
      }
    }
  }

  // #endregion record

  @Test
  void jsonBecomesRecordsAndBack() {
    // #region json
    App app = new App();
    app.use(BodyParsers.json().limit("100kb"));
    app.post(
        "/orders",
        (req, res) -> {
          Order order = req.body(Order.class); // invalid values are a 400 with their paths
          res.status(201).json(Map.of("lines", order.lines().size()));
        });
    // #endregion json
    Order order = new Order("Ann", List.of(new Line("tea", 3)));
    assertEquals(201, Call.post("/orders").json(order).to(app).status());
    Reply wrong = Call.post("/orders").json(Map.of("lines", List.of(Map.of("count", "x")))).to(app);
    assertEquals(400, wrong.status());
    assertTrue(wrong.text().contains("/lines/0/count"), wrong::toString);
  }

  @Test
  void anApplicationHasItsOwnMapper() {
    // #region mapper
    JsonMapper mapper =
        JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
    App app = new App();
    app.set(Settings.JSON_CODEC, JacksonCodec.of(mapper));
    app.get("/", (req, res) -> res.json(new Named("Ann")));
    // #endregion mapper
    assertTrue(Call.get("/").to(app).text().contains("\"first_name\""));
  }

  record Named(String firstName) {}

  // #region constraints
  record NewUser(@NotBlank String name, @Email String email, @Size(max = 5) List<String> tags) {}

  // #endregion constraints

  @Test
  void constraintsAreChecked() {
    // #region valid
    App app = new App();
    app.use(BodyParsers.json());
    app.post(
        "/users",
        (req, res) -> {
          NewUser user = req.body(NewUser.class); // 400, or 422 for a violated constraint
          res.status(201).json(user);
        });
    // #endregion valid
    // #region own-format
    app.use(
        ErrorHandler.of(
            HttpError.class,
            (error, req, res, next) ->
                res.json(error.status(), Map.of("errors", InputError.byField(error)))));
    // #endregion own-format
    Call call = Call.post("/users");
    assertEquals(201, call.json(new NewUser("Ann", "ann@a.example", List.of())).to(app).status());
    Reply wrong = call.json(new NewUser("Ann", "ann", List.of())).to(app);
    assertEquals(422, wrong.status());
    assertEquals(
        Map.of("errors", Map.of("email", List.of("must be a well-formed email address"))),
        wrong.json(Map.class));
  }

  // #region patch
  @SuppressWarnings("NullableOptional") // null is an absent property
  record Change(
      Optional<@NotBlank String> name, // empty if absent or null
      @Nullable Optional<@NotBlank String> bio) {} // null if absent, empty if null

  // #endregion patch

  @Test
  void partialUpdatesDistinguishAbsentAndNull() {
    App app = new App();
    app.use(BodyParsers.json());
    app.patch("/user", (req, res) -> res.send(String.valueOf(req.body(Change.class))));
    Call call = Call.patch("/user");
    assertEquals("Change[name=Optional.empty, bio=null]", call.json(Map.of()).to(app).text());
    assertEquals(
        "Change[name=Optional.empty, bio=Optional.empty]",
        call.json(Collections.singletonMap("bio", null)).to(app).text());
    assertEquals(
        "Change[name=Optional[Ann], bio=Optional[x]]",
        call.json(Map.of("name", "Ann", "bio", "x")).to(app).text());
    assertEquals(422, call.json(Map.of("name", " ")).to(app).status());
  }

  @Test
  void formsAreReadByName() {
    // #region form
    App app = new App();
    app.post(
        "/entries",
        BodyParsers.urlencoded(),
        (req, res) -> {
          String name = req.formRequired("name", String.class); // 400 if missing
          int stars = req.form("stars", int.class, 5);
          res.send(name + " " + stars);
        });
    // #endregion form
    assertEquals(
        "Ann 3", Call.post("/entries").form("name", "Ann").form("stars", "3").to(app).text());
    assertEquals(400, Call.post("/entries").form("stars", "3").to(app).status());
  }

  @Test
  void uploadsAreTemporaryFiles() {
    // #region upload
    App app = new App();
    app.post(
        "/photos",
        Multipart.files().limit("5mb").maxFiles(3),
        (req, res) -> {
          List<Upload> files = req.attrOrNull(Multipart.FILES);
          if (files == null || files.isEmpty()) {
            throw new HttpError(400, "expected a form with a file");
          }
          res.send(req.form("title") + ": " + files.get(0).name() + ", " + files.get(0).size());
        });
    // #endregion upload
    Call call = Call.post("/photos").form("title", "Cat");
    call = call.file("photo", "cat.png", "image/png", new byte[] {1, 2, 3});
    assertEquals("Cat: cat.png, 3", call.to(app).text());
    assertEquals(400, Call.post("/photos").body("x").to(app).status());
    Call none = Call.post("/photos").header("Content-Type", "multipart/form-data; boundary=X");
    assertEquals(400, none.body("--X--\r\n").to(app).status());
  }
}

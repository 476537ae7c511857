package dev.percolate.openapi;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.percolate.core.TypeRef;
import dev.percolate.core.Validation;
import dev.percolate.framework.App;
import dev.percolate.json.JacksonCodec;
import jakarta.validation.Valid;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Negative;
import jakarta.validation.constraints.NegativeOrZero;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An application with every kind of type, in every position of a description. */
final class Torture {

  private Torture() {}

  enum Color {
    RED,
    @JsonProperty("dark-green")
    GREEN
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "kind")
  sealed interface Shape permits Circle, Square {}

  record Circle(double radius) implements Shape {}

  record Square(int side, Color color) implements Shape {}

  record Page<T>(List<T> items, int number, @Nullable URI next) {}

  record Node(String name, List<Node> children, @Nullable Node parent) {}

  record Isbn(@JsonValue String text) {}

  record Size2(int width, int height) {}

  record Everything(
      byte small,
      short medium,
      int number,
      long big,
      float single,
      double wide,
      boolean yes,
      char sign,
      Integer boxed,
      BigDecimal price,
      BigInteger huge,
      String text,
      UUID id,
      URI link,
      Instant time,
      LocalDate date,
      Duration length,
      Color color,
      @Nullable Color maybeColor,
      Optional<String> optional,
      @Nullable String nullable,
      List<@Nullable String> list,
      Set<Integer> set,
      List<int[]> array,
      Map<String, Size2> map,
      Shape shape,
      Isbn isbn,
      Node tree,
      @JsonUnwrapped Size2 size,
      Object anything,
      @JsonProperty("other-name") int renamed,
      @JsonProperty(access = JsonProperty.Access.READ_ONLY) String madeHere,
      @JsonProperty(access = JsonProperty.Access.WRITE_ONLY) String secret) {}

  record Line(@NotBlank String title, @Positive int price) {}

  record Order(
      @NotBlank @Size(max = 20) String customer,
      @Email @Nullable String mail,
      @Pattern(regexp = "[A-Z]{2}\\d+") @Nullable String code,
      @Min(1) @Max(5) @Nullable Integer stars,
      @DecimalMin("0.5") @Nullable BigDecimal weight,
      @Size(min = 1, max = 3) List<@Valid Line> lines) {}

  record Limits(
      @NotEmpty List<@Size(min = 2, max = 4) String> names,
      @Size(max = 2) Map<String, @Positive Integer> counts,
      @Size(min = 2, max = 3) List<Integer> pair,
      @DecimalMin(value = "0", inclusive = false) @DecimalMax("10.5") BigDecimal ratio,
      @Negative int below,
      @PositiveOrZero long above,
      @NegativeOrZero short least,
      @AssertTrue boolean agreed,
      @Size(min = 3, max = 5) @Nullable String word) {}

  /**
   * Loads the classes for which the first request would wait, on a busy machine too long for a
   * test.
   */
  static void load() {
    String order = "{\"customer\":\"Ann\",\"lines\":[{\"title\":\"x\",\"price\":1}]}";
    Object read = new JacksonCodec().read(order, Order.class);
    Validation validation = Objects.requireNonNull(new JacksonCodec().validation());
    validation.check(Objects.requireNonNull(read), () -> Locale.ENGLISH);
  }

  /** Serves the application for external tools; a server must be on the class path. */
  public static void main(String[] args) throws Exception {
    App app = app();
    app.use(document(app).docs("/docs"));
    System.out.println("Listening at " + app.listen(0).uri());
  }

  static App app() {
    App app = new App();
    app.post(
        "/everything",
        Api.of("Takes all").body(Everything.class).response(200, Everything.class),
        (req, res) -> res.json(req.body(Everything.class)));
    app.post(
        "/orders",
        Api.of("Orders").body(Order.class).response(201, Order.class).response(409).tags("orders"),
        (req, res) -> res.json(201, req.body(Order.class)));
    app.post(
        "/limits",
        Api.of("Limits").body(Limits.class).response(200, Limits.class),
        (req, res) -> res.json(req.body(Limits.class)));
    app.get(
        "/shapes/:id(\\d+)/:part?",
        Api.of("Shapes")
            .path("id", long.class)
            .query("page", int.class, "Which page")
            .queryAll("color", Color.class)
            .queryRequired("q", String.class)
            .header("X-Trace", UUID.class)
            .cookie("session", String.class)
            .response(200, new TypeRef<Page<Shape>>() {})
            .responseHeader(200, "X-Total", int.class)
            .response(404),
        (req, res) -> res.json(Map.of("items", List.of(), "number", 1)));
    app.put(
        "/files/:name",
        Api.of("Puts a file")
            .body("text/plain", String.class)
            .body("image/*", byte[].class)
            .response(200, "text/plain", String.class),
        (req, res) -> res.type("text/plain").send("ok"));
    app.post(
        "/uploads",
        Api.of("Uploads").file("cover").formRequired("title", String.class).response(201),
        (req, res) -> res.sendStatus(201));
    app.post(
        "/login",
        Api.of("Logs in").formRequired("user", String.class).form("age", int.class).response(204),
        (req, res) -> res.sendStatus(204));
    app.group(
        "/admin",
        admin -> {
          admin.use(Api.of("Needs a token").security("token").tags("admin").response(401));
          admin.all(
              "/things/*",
              Api.of("Things").response(200, "text/plain", String.class).deprecated(),
              (req, res) -> res.type("text/plain").send("thing"));
          admin.get("/plain", (req, res) -> res.send("plain"));
        });
    return app;
  }

  static OpenApi document(App app) {
    return OpenApi.of(app)
        .title("Torture")
        .version("1")
        .security("token", Map.of("type", "http", "scheme", "bearer"));
  }
}

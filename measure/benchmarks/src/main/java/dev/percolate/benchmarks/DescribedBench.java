package dev.percolate.benchmarks;

import dev.percolate.core.Request;
import dev.percolate.core.Settings;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.openapi.Api;
import dev.percolate.parsers.BodyParsers;
import jakarta.validation.Valid;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Compares a described route with one that parses and validates by hand, for one kilobyte. */
@State(Scope.Benchmark)
@Fork(value = 2, jvmArgsAppend = "-Dpercolate.env=production")
public class DescribedBench extends NanosecondBench {

  private final byte[] json = Bodies.json(1 << 10).getBytes(StandardCharsets.UTF_8);
  private final App described = new App().set("env", "production");
  private final App byHand =
      new App().set("env", "production").set(Settings.VALIDATION, (value, locale) -> List.of());
  private @Nullable Object body;

  /** The body of the requests. */
  record Orders(@Size(min = 1, max = 100) List<@Valid Order> orders) {}

  record Order(
      @Positive long id,
      @NotBlank @Size(max = 80) String customer,
      boolean paid,
      @PositiveOrZero BigDecimal total,
      @Size(max = 10) List<@NotBlank String> tags,
      @Nullable String note,
      @Valid Address address) {}

  record Address(@NotBlank String street, @NotBlank String city) {}

  /** Creates both applications. */
  @Setup
  public void make() {
    described.post(
        "/",
        Api.of("Takes orders").body(Orders.class).response(204),
        (req, res) -> {
          body = sent(req);
          res.status(204).end();
        });
    Validator validator = validator();
    byHand.post(
        "/",
        BodyParsers.json(),
        (req, res) -> {
          Orders orders = sent(req);
          if (!validator.validate(orders).isEmpty()) {
            throw new HttpError(422);
          }
          body = orders;
          res.status(204).end();
        });
  }

  static Validator validator() {
    return Validation.byDefaultProvider()
        .configure()
        .messageInterpolator(new ParameterMessageInterpolator())
        .buildValidatorFactory()
        .getValidator();
  }

  /** Sends orders to the described route. */
  @Benchmark
  public @Nullable Object described() {
    return play(described);
  }

  /** Sends orders to the route that parses and validates by hand. */
  @Benchmark
  public @Nullable Object byHand() {
    return play(byHand);
  }

  private static Orders sent(Request req) {
    return Objects.requireNonNull(req.body(Orders.class));
  }

  private @Nullable Object play(App app) {
    BodyExchange exchange = BodyExchange.whole("application/json", json);
    exchange.executor().execute(() -> app.serve(exchange));
    if (exchange.status() != 204) {
      throw new IllegalStateException("unexpected status: " + exchange.status());
    }
    return body;
  }
}

package dev.percolate.benchmarks;

import dev.percolate.benchmarks.DescribedBench.Orders;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.parsers.BodyParsers;
import jakarta.validation.Validator;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import tools.jackson.databind.json.JsonMapper;

/**
 * Compares {@code req.body(Orders.class)}, which reads and validates a record of one kilobyte, with
 * Jackson and Hibernate Validator called by hand.
 */
@State(Scope.Benchmark)
@Fork(value = 2, jvmArgsAppend = "-Dpercolate.env=production")
public class ValidationBench extends NanosecondBench {

  private final byte[] json = Bodies.json(1 << 10).getBytes(StandardCharsets.UTF_8);
  private final App validated = new App().set("env", "production");
  private final App byHand = new App().set("env", "production");
  private @Nullable Object body;

  /** Creates both applications. */
  @Setup
  public void make() {
    validated.post(
        "/",
        BodyParsers.json(),
        (req, res) -> {
          body = req.body(Orders.class);
          res.status(204).end();
        });
    JsonMapper mapper = new JsonMapper();
    Validator validator = DescribedBench.validator();
    byHand.post(
        "/",
        BodyParsers.raw().type("application/json"),
        (req, res) -> {
          byte[] bytes = (byte[]) Objects.requireNonNull(req.body());
          Orders orders = mapper.readValue(bytes, Orders.class);
          if (!validator.validate(orders).isEmpty()) {
            throw new HttpError(422);
          }
          body = orders;
          res.status(204).end();
        });
  }

  /** Reads and validates with the framework. */
  @Benchmark
  public @Nullable Object validated() {
    return play(validated);
  }

  /** Reads and validates by hand. */
  @Benchmark
  public @Nullable Object byHand() {
    return play(byHand);
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

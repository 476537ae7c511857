package dev.percolate.benchmarks;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.http.Form;
import dev.percolate.http.FormException;
import dev.percolate.parsers.BodyParsers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Compares body parsers with the minimal work for the same result. */
@State(Scope.Benchmark)
@Warmup(iterations = 4, time = 1)
@Fork(value = 2, jvmArgsAppend = "-Dpercolate.env=production")
public class BodyBench extends NanosecondBench {

  private static final JsonMapper JACKSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  /** The size of the body in kilobytes. */
  @Param({"1", "100"})
  public int kilobytes;

  private byte[] json = {};
  private @Nullable Object value;
  private byte[] bytes = {};
  private String form = "";
  private final Service jsonParser = parsed(BodyParsers.json().limit("1mb"));
  private final Service recordReader =
      Chain.service(
          new Settings().set("env", "production"),
          BodyParsers.json().limit("1mb"),
          (Handler)
              (req, res) -> {
                body = req.body(JsonBench.Orders.class);
                res.end();
              });
  private final Service rawParser = parsed(BodyParsers.raw().limit("1mb"));
  private final Service textParser = parsed(BodyParsers.text().limit("1mb"));
  private @Nullable Object body;

  /** Creates the bodies. */
  @Setup
  public void make() {
    json = Bodies.json(kilobytes << 10).getBytes(StandardCharsets.UTF_8);
    value = JACKSON.readValue(json, Map.class);
    bytes = new byte[kilobytes << 10];
    Arrays.fill(bytes, (byte) 'a');
    form = Bodies.form(kilobytes << 10);
  }

  /** Reads bytes into a map with the JSON library. */
  @Benchmark
  public Object jsonByTheLibrary() {
    return JACKSON.readValue(json, Map.class);
  }

  /** Reads bytes into a map with the codec. */
  @Benchmark
  public @Nullable Object jsonByTheCodec() {
    return JsonCodec.find().read(json, JsonCodec.ReadOptions.DEFAULT);
  }

  /** Writes a map to bytes with the JSON library. */
  @Benchmark
  public Object jsonWrittenByTheLibrary() {
    return JACKSON.writeValueAsBytes(value);
  }

  /** Writes a map with the codec, and encodes the text. */
  @Benchmark
  public Object jsonWrittenByTheCodec() {
    return JsonCodec.find()
        .write(value, JsonCodec.WriteOptions.COMPACT)
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Sends a request with JSON to its parser. */
  @Benchmark
  public @Nullable Object jsonByTheParser() {
    return play(jsonParser, "application/json", json);
  }

  /** Reads bytes into records with the JSON library. */
  @Benchmark
  public Object recordsByTheLibrary() {
    return JACKSON.readValue(json, JsonBench.Orders.class);
  }

  /** Sends a request with JSON to its parser and a handler that reads records. */
  @Benchmark
  public @Nullable Object recordsByTheParser() {
    return play(recordReader, "application/json", json);
  }

  /** Sends a request that the parser does not parse. */
  @Benchmark
  public @Nullable Object noBody() {
    return play(jsonParser, "text/html", bytes);
  }

  /** Copies bytes. */
  @Benchmark
  public Object copyOfBytes() {
    return bytes.clone();
  }

  /** Sends a request with bytes to their parser. */
  @Benchmark
  public @Nullable Object rawByTheParser() {
    return play(rawParser, "application/octet-stream", bytes);
  }

  /** Copies bytes and decodes them. */
  @Benchmark
  public Object copyOfText() {
    return new String(bytes.clone(), StandardCharsets.UTF_8);
  }

  /** Sends a request with text to its parser. */
  @Benchmark
  public @Nullable Object textByTheParser() {
    return play(textParser, "text/plain", bytes);
  }

  /** Reads an extended form. */
  @Benchmark
  public Object extendedForm() throws FormException {
    return Form.extended().parameterLimit(100_000).parse(form, StandardCharsets.UTF_8);
  }

  @Nullable Object libraryAndRequest() {
    Object ignored = noBody();
    return jsonByTheLibrary();
  }

  @Nullable Object libraryRecordsAndRequest() {
    Object ignored = noBody();
    return recordsByTheLibrary();
  }

  @Nullable Object bytesAndRequest() {
    Object ignored = noBody();
    return copyOfBytes();
  }

  @Nullable Object textAndRequest() {
    Object ignored = noBody();
    return copyOfText();
  }

  private @Nullable Object play(Service service, String type, byte[] given) {
    BodyExchange exchange = BodyExchange.whole(type, given);
    exchange.executor().execute(() -> service.serve(exchange));
    return body;
  }

  private Service parsed(Middleware parser) {
    Middleware last =
        (req, res, next) -> {
          body = req.body();
          res.end();
        };
    return Chain.service(new Settings().set("env", "production"), parser, last);
  }
}

package dev.percolate.benchmarks;

import dev.percolate.core.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
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

/** Compares the codec with the JSON library alone, in both directions. */
@State(Scope.Benchmark)
@Warmup(iterations = 4, time = 1)
@Fork(value = 2, jvmArgsAppend = "-Dpercolate.env=production")
public class JsonBench extends NanosecondBench {

  private static final JsonMapper JACKSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  /** The size of the body in kilobytes. */
  @Param({"1", "20"})
  public int kilobytes;

  private byte[] json = {};
  private @Nullable Object map;
  private @Nullable Object typed;

  /** The body. */
  public record Orders(List<Order> orders) {}

  /** An order. */
  public record Order(
      long id,
      String customer,
      boolean paid,
      double total,
      List<String> tags,
      @Nullable String note,
      Address address) {}

  /** The address of an order. */
  public record Address(String street, String city) {}

  /** Creates the bodies. */
  @Setup
  public void make() {
    json = Bodies.json(kilobytes << 10).getBytes(StandardCharsets.UTF_8);
    map = JACKSON.readValue(json, Map.class);
    typed = JACKSON.readValue(json, Orders.class);
  }

  /** Reads bytes into a map with the library. */
  @Benchmark
  public Object mapReadByTheLibrary() {
    return JACKSON.readValue(json, Map.class);
  }

  /** Reads bytes into a map with the codec. */
  @Benchmark
  public @Nullable Object mapReadByTheCodec() {
    return JsonCodec.find().read(json, JsonCodec.ReadOptions.DEFAULT);
  }

  /** Reads bytes into records with the library. */
  @Benchmark
  public Object recordsReadByTheLibrary() {
    return JACKSON.readValue(json, Orders.class);
  }

  /** Reads bytes into records with the codec. */
  @Benchmark
  public @Nullable Object recordsReadByTheCodec() {
    return JsonCodec.find().read(json, Orders.class);
  }

  /** Writes a map to bytes with the library. */
  @Benchmark
  public Object mapWrittenByTheLibrary() {
    return JACKSON.writeValueAsBytes(map);
  }

  /** Writes a map to bytes with the codec. */
  @Benchmark
  public Object mapWrittenByTheCodec() {
    return JsonCodec.find().writeBytes(map, JsonCodec.WriteOptions.COMPACT);
  }

  /** Writes records to bytes with the library. */
  @Benchmark
  public Object recordsWrittenByTheLibrary() {
    return JACKSON.writeValueAsBytes(typed);
  }

  /** Writes records to bytes with the codec. */
  @Benchmark
  public Object recordsWrittenByTheCodec() {
    return JsonCodec.find().writeBytes(typed, JsonCodec.WriteOptions.COMPACT);
  }
}

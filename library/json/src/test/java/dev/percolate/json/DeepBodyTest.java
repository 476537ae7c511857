package dev.percolate.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.Middleware;
import dev.percolate.core.RequestControl;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code req.body(type)} for JSON that nests too deeply for recursion on a small stack. */
final class DeepBodyTest {

  private static final int LEVELS = 50_000;
  private static final long SMALL_STACK = 512L * 1024;

  record Free(Object any, JsonNode tree, Map<String, Object> map) {}

  record Count(int count) {}

  record Node(@Nullable Node next) {}

  record Counted(int count, Node node) {}

  private final Settings settings = new Settings();

  private static String lists(int levels) {
    return "[".repeat(levels) + "]".repeat(levels);
  }

  private static String nodes(int levels) {
    return "{'next':".repeat(levels) + "null" + "}".repeat(levels);
  }

  /** Returns the value of a body, or its error. */
  private Object read(String json, Class<?> type) throws InterruptedException {
    AtomicReference<Object> read = new AtomicReference<>();
    Middleware body =
        (req, res, next) -> {
          JsonCodec codec = req.settings().jsonCodec();
          RequestControl.jsonBody(
              req, codec.parse(json.replace('\'', '"'), JsonCodec.ReadOptions.DEFAULT));
          next.run();
        };
    Handler handler =
        (req, res) -> {
          read.set(req.body(type));
          res.end();
        };
    ErrorHandler failed =
        (error, req, res, next) -> {
          read.set(error);
          res.end();
        };
    Service service = Chain.service(settings, body, handler, failed);
    Thread thread =
        new Thread(null, () -> Call.post("/").body("{}").to(service), "small", SMALL_STACK);
    thread.start();
    thread.join();
    return read.get();
  }

  private static int levels(Object list) {
    int levels = 0;
    for (Object one = list; one instanceof List<?> inner; one = first(inner)) {
      levels++;
    }
    return levels;
  }

  private static @Nullable Object first(List<?> list) {
    return list.isEmpty() ? null : list.get(0);
  }

  @Test
  void untypedValuesAreReadAtAnyDepth() throws InterruptedException {
    String deep = lists(LEVELS);
    String json = "{'any':" + deep + ",'tree':" + deep + ",'map':{'a':" + deep + "}}";
    Free free = assertInstanceOf(Free.class, read(json, Free.class));
    assertEquals(LEVELS, levels(free.any()));
    assertEquals(LEVELS, levels(free.map().get("a")));
    int levels = 0;
    for (JsonNode one = free.tree(); one != null; one = one.get(0)) {
      levels++;
    }
    assertEquals(LEVELS, levels);
  }

  @Test
  void unknownValuesAreSkippedAtAnyDepth() throws InterruptedException {
    assertEquals(new Count(1), read("{'x':" + lists(LEVELS) + ",'count':1}", Count.class));
  }

  @Test
  void recursiveTypesAreReadUpTo500Levels() throws InterruptedException {
    assertInstanceOf(Node.class, read(nodes(500), Node.class));
    for (int levels : new int[] {501, LEVELS}) {
      HttpError error = assertInstanceOf(HttpError.class, read(nodes(levels), Node.class));
      assertEquals("400 entity.parse.failed", error.status() + " " + error.type());
    }
  }

  @Test
  void faultsNextToADeepValueAreFound() throws InterruptedException {
    String json = "{'count':'x','node':" + nodes(LEVELS) + "}";
    HttpError error = assertInstanceOf(HttpError.class, read(json, Counted.class));
    List<?> errors = assertInstanceOf(List.class, error.field("errors"));
    assertEquals(1, errors.size());
    assertEquals("/count", ((Map<?, ?>) errors.get(0)).get("pointer"));
  }

  @Test
  void mappersOfApplicationsMayLimitTheDepth() throws InterruptedException {
    StreamReadConstraints limits = StreamReadConstraints.builder().maxNestingDepth(20).build();
    JsonMapper mapper =
        JsonMapper.builder(JsonFactory.builder().streamReadConstraints(limits).build()).build();
    settings.set(Settings.JSON_CODEC, JacksonCodec.of(mapper));
    assertEquals(20, levels(read(lists(20), Object.class)));
    HttpError error = assertInstanceOf(HttpError.class, read(lists(21), Object.class));
    assertTrue(String.valueOf(error.getMessage()).contains("20"), error.getMessage());
  }
}

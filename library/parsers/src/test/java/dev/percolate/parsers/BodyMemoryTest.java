package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Middleware;
import dev.percolate.engine.BodyMemory;
import dev.percolate.testkit.TestExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the memory use of bodies, and bodies for which there is not enough memory. */
class BodyMemoryTest {

  private static final String MANY_LISTS = "[" + "[],".repeat(30_000) + "1]";

  private final BodyMemory memory = BodyMemory.of("1mb");

  @ParameterizedTest
  @ValueSource(strings = {"", "gzip"})
  void aBodyCountsUntilTheExchangeIsOver(String encoding) throws IOException {
    AtomicLong held = new AtomicLong();
    Middleware noting =
        (req, res, next) -> {
          held.set(memory.held());
          next.run();
        };
    byte[] body = ("[\"" + "x".repeat(50_000) + "\"]").getBytes(StandardCharsets.UTF_8);
    TestExchange exchange = Post.of("application/json", encode(encoding, body));
    if (!encoding.isEmpty()) {
      exchange.header("Content-Encoding", encoding);
    }
    Recorder.play(exchange.memory(memory).chunkSize(16 << 10), BodyParsers.json(), noting).body();
    assertTrue(held.get() >= 3L * body.length, () -> held + " bytes");
    assertTrue(held.get() <= memory.budget() / 2, () -> held + " bytes");
    assertEquals(0, memory.held());
  }

  @Test
  void jsonThatWouldExceedTheHeapIs413BeforeParsing() {
    TestExchange exchange = Post.of("application/json", MANY_LISTS).memory(memory);
    Recorder seen = Recorder.play(exchange, BodyParsers.json());
    assertEquals("413 entity.too.large request entity too large", seen.failure());
    assertNull(seen.body);
    assertEquals(0, memory.held());
  }

  @Test
  void theSameTextIsAcceptedWithEnoughMemory() {
    TestExchange exchange = Post.of("application/json", MANY_LISTS);
    assertEquals(
        30_001, ((java.util.List<?>) Recorder.play(exchange, BodyParsers.json()).body()).size());
  }

  @Test
  void aBodyThatDecodesToMoreThanTheFreeMemoryIs503() throws IOException {
    byte[] body = " ".repeat(3 << 20).getBytes(StandardCharsets.UTF_8);
    TestExchange exchange =
        Post.of("text/plain", encode("gzip", body)).header("Content-Encoding", "gzip");
    Recorder seen = Recorder.play(exchange.memory(memory), BodyParsers.text().limit("4mb"));
    assertEquals("503 memory.unavailable not enough memory for the body", seen.failure());
    assertEquals(0, memory.held());
  }

  @Test
  void estimatesAreUpperBoundsForListsAndMaps() {
    assertTrue(JsonParser.weight(view("[" + "[[1]],".repeat(1000) + "1]")) > 1000 * 160);
    assertTrue(JsonParser.weight(view("[" + "{\"\":1},".repeat(1000) + "1]")) > 1000 * 190);
    assertTrue(JsonParser.weight(view("\"" + "x".repeat(1000) + "\"")) < 4000);
  }

  @Test
  void estimatesOfFormsCountNestedMaps() {
    UrlencodedParser simple = BodyParsers.urlencoded();
    UrlencodedParser extended = simple.extended(true);
    for (String name : new String[] {"a[b][c][d]", "a%5Bb%5D%5bc%5d%5Bd%5D"}) {
      assertTrue(extended.weight(view(name + "=1"), true) >= 4 * 224, name);
      assertTrue(simple.weight(view(name + "=1"), true) < 500, name);
    }
    ByteBuffer deep = view("[".repeat(1000));
    assertEquals(4 * 1000 + 33 * 320, extended.weight(deep, true), "the depth limits the maps");
  }

  @Test
  void estimatesOfFormsAreBoundedByTheParameterLimit() {
    ByteBuffer many = view("&".repeat(100_000));
    long text = 4L * many.remaining();
    assertEquals(text + 1000 * 320, BodyParsers.urlencoded().weight(many, true));
    assertEquals(text + 2 * 320, BodyParsers.urlencoded().parameterLimit(2).weight(many, true));
  }

  private static ByteBuffer view(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] encode(String encoding, byte[] body) throws IOException {
    if (encoding.isEmpty()) {
      return body;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(body);
    }
    return bytes.toByteArray();
  }
}

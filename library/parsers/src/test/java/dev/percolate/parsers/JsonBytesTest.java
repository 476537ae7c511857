package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.Middleware;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.TestExchange;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** JSON has the same value, whether it is read from bytes or from text. */
final class JsonBytesTest {

  private static final List<String> TEXTS =
      List.of(
          "{\"id\":1,\"name\":\"caf\u00e9 \u4e2d \ud83d\ude00\",\"list\":[1,2.5,\"\",null,true]}",
          " [{\"id\":12345678901234567890}, \"\\ud800\"]",
          "\n{\"id\":\"x\", \"id\":7}");

  /** A type that bodies are read to. */
  public record Item(long id, List<Object> list) {}

  private final Random random = new Random(71);

  @Test
  void bodiesAreReadAsTheirText() {
    for (int i = 0; i < 1500; i++) {
      byte[] body = TEXTS.get(i % TEXTS.size()).getBytes(StandardCharsets.UTF_8);
      for (int changes = i < TEXTS.size() ? 0 : random.nextInt(3); changes > 0; changes--) {
        body[random.nextInt(body.length)] = (byte) random.nextInt(256);
      }
      assertSame(body, BodyParsers.json());
      assertSame(body, BodyParsers.json().strict(false).depth(1).exactNumbers(true));
      assertSame(body, BodyParsers.json().reviver((key, value) -> "".equals(key) ? value : key));
    }
  }

  @Test
  void byteOrderMarksAndScalarsAreParsedLikeText() {
    for (String text :
        List.of(
            "", " ", "\ufeff", "\ufeff[1]", "\ufeff\ufeff[1]", "1", "\"\u00e9\"", "\0", "{\0")) {
      byte[] body = text.getBytes(StandardCharsets.UTF_8);
      assertSame(body, BodyParsers.json());
      assertSame(body, BodyParsers.json().strict(false));
    }
  }

  /** A parser that keeps the bytes reads the text, since other code may change the bytes. */
  private static void assertSame(byte[] body, JsonParser parser) {
    assertEquals(
        seen(body, parser.keepRaw(true)),
        seen(body, parser),
        () -> new String(body, StandardCharsets.ISO_8859_1));
  }

  private static String seen(byte[] body, JsonParser parser) {
    StringBuilder seen = new StringBuilder();
    Middleware typed =
        (req, res, next) -> {
          seen.append(req.body());
          seen.append(req.body(Item.class));
          next.run();
        };
    TestExchange exchange = Post.of("application/json", body);
    Recorder recorder = Recorder.play(exchange, parser, typed);
    if (recorder.error instanceof HttpError error) {
      seen.append(recorder.failure()).append(error.fields()).append(error.field("body"));
    }
    return seen.toString();
  }
}

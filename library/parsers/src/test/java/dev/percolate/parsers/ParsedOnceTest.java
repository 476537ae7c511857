package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.InputErrors;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.JsonDocument;
import dev.percolate.core.Settings;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A JSON body is parsed once, however it is read, and its maps are created on demand. */
class ParsedOnceTest {

  /** The type that bodies are read to. */
  public record Item(long id, String name) {}

  private final List<String> calls = new ArrayList<>();

  /** Records the calls of a codec and its documents. */
  private final class Noting implements JsonCodec {

    private final JsonCodec codec = JsonCodec.find();

    @Override
    public @Nullable Object read(String text, ReadOptions reading) {
      calls.add("read");
      return codec.read(text, reading);
    }

    @Override
    public @Nullable Object read(String text, Type type) {
      calls.add("read");
      return codec.read(text, type);
    }

    @Override
    public JsonDocument parse(String text, ReadOptions reading) {
      calls.add("parse");
      return noting(codec.parse(text, reading));
    }

    @Override
    public JsonDocument parse(byte[] utf8, ReadOptions reading) {
      calls.add("parse");
      return noting(codec.parse(utf8, reading));
    }

    @Override
    public String write(@Nullable Object value, WriteOptions style) {
      return codec.write(value, style);
    }
  }

  private JsonDocument noting(JsonDocument document) {
    return new JsonDocument() {
      @Override
      public @Nullable Object value() {
        calls.add("value");
        return document.value();
      }

      @Override
      public @Nullable Object read(Type type, InputErrors faults) {
        calls.add(((Class<?>) type).getSimpleName());
        return document.read(type, faults);
      }

      @Override
      public String text() {
        return document.text();
      }
    };
  }

  /** A codec that does not implement documents. */
  private final class Simple implements JsonCodec {

    private final JsonCodec codec = JsonCodec.find();

    @Override
    public @Nullable Object read(String text, ReadOptions reading) {
      calls.add("maps");
      return codec.read(text, reading);
    }

    @Override
    public @Nullable Object read(String text, Type type) {
      calls.add("type");
      return codec.read(text, type);
    }

    @Override
    public String write(@Nullable Object value, WriteOptions style) {
      return codec.write(value, style);
    }
  }

  private String post(JsonCodec codec, JsonParser parser, Handler handler, String json) {
    Settings settings = new Settings().set(Settings.JSON_CODEC, codec);
    ErrorHandler errors =
        (error, req, res, next) -> res.send(((HttpError) error).type() + " " + error.getMessage());
    return Call.post("/")
        .header("Content-Type", "application/json")
        .body(json)
        .to(Chain.service(settings, parser, handler, errors))
        .text();
  }

  private static final String ITEM = "{\"id\":9007199254740993,\"name\":\"tea\"}";

  @Test
  void aRecordIsReadWithoutMaps() {
    Handler handler =
        (req, res) -> {
          assertSame(req.body(Item.class), req.body(Item.class));
          res.send(String.valueOf(req.body(Item.class)));
        };
    assertEquals(
        "Item[id=9007199254740993, name=tea]",
        post(new Noting(), BodyParsers.json(), handler, ITEM));
    assertEquals(List.of("parse", "Item"), calls);
  }

  @Test
  void mapsAreMadeByTheFirstCallAndStayTheSame() {
    Handler handler =
        (req, res) -> {
          assertEquals(List.of("parse"), calls);
          assertSame(req.body(), req.body());
          res.send(req.param("name") + " " + ((Map<?, ?>) Objects.requireNonNull(req.body())));
        };
    assertEquals(
        "tea {id=9007199254740992, name=tea}",
        post(new Noting(), BodyParsers.json(), handler, ITEM));
    assertEquals(List.of("parse", "value"), calls);
  }

  @Test
  void bothAreReadFromOneParse() {
    Handler handler =
        (req, res) -> {
          Object map = req.body();
          res.send(req.body(Item.class) + " " + (map instanceof Map));
        };
    String read = "Item[id=9007199254740993, name=tea] true";
    assertEquals(read, post(new Noting(), BodyParsers.json(), handler, ITEM));
    assertEquals(List.of("parse", "value", "Item"), calls);
    calls.clear();
    assertEquals(read, post(new Noting(), BodyParsers.json().keepRaw(true), handler, ITEM));
    assertEquals(List.of("parse", "value", "Item"), calls);
  }

  @Test
  void whatIsWrongIsFoundByTheParser() {
    Handler never = (req, res) -> res.send("handled");
    JsonParser plain = BodyParsers.json();
    assertEquals(
        "entity.parse.failed JSON: unexpected '}' at line 1, column 7",
        post(new Noting(), plain, never, "{\"id\":}"));
    assertEquals(
        "entity.parse.failed JSON: must be an object or an array",
        post(new Noting(), plain, never, "7"));
    assertEquals(
        "entity.parse.failed JSON: nested deeper than 2 levels at line 1, column 3",
        post(new Noting(), plain.depth(2), never, "[[[]]]"));
    assertEquals(
        "entity.parse.failed JSON: number with too many digits at line 1, column 1003",
        post(new Noting(), plain.exactNumbers(true), never, "[" + "1".repeat(1001) + "]"));
    assertEquals(
        "entity.verify.failed no",
        post(
            new Noting(),
            plain.verify(
                (req, res, bytes, charset) -> {
                  throw new IllegalStateException("no");
                }),
            never,
            "{"));
    assertEquals(
        "entity.parse.failed refused",
        post(
            new Noting(),
            plain.reviver(
                (key, value) -> {
                  throw new IllegalStateException("refused");
                }),
            never,
            "{}"));
  }

  @Test
  void aReviverChangesMapsAndNoTypes() {
    Handler handler = (req, res) -> res.send(req.body() + " " + req.body(Item.class));
    assertEquals(
        "{id=0, name=0} Item[id=9007199254740993, name=tea]",
        post(
            new Noting(),
            BodyParsers.json().reviver((key, value) -> value instanceof Map ? value : 0),
            handler,
            ITEM));
  }

  @Test
  void aCodecWithoutDocumentsReadsTheTextForEach() {
    Handler handler = (req, res) -> res.send(req.body() + " " + req.body(Item.class));
    assertEquals(
        "{id=1, name=tea} Item[id=1, name=tea]",
        post(new Simple(), BodyParsers.json(), handler, "{\"id\":1,\"name\":\"tea\"}"));
    assertEquals(List.of("maps", "type"), calls);
  }
}

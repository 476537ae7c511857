package dev.percolate.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.core.Settings;
import dev.percolate.core.TypeRef;
import dev.percolate.engine.Service;
import dev.percolate.http.HttpError;
import dev.percolate.http.Utf8;
import dev.percolate.testkit.Call;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** UTF-8 bytes are read like their text, with the same values and errors. */
final class JsonBytesTest {

  record Line(String article, double price, int count, List<String> tags) {
    Line {
      if (count < 0) {
        throw new IllegalArgumentException("count is negative");
      }
    }
  }

  record Order(
      long id,
      String customer,
      boolean paid,
      List<Line> lines,
      Map<String, BigDecimal> sums,
      @Nullable BigInteger big,
      @Nullable Order next) {}

  private static final int INPUTS = 1500;

  private static final List<Type> TYPES =
      List.of(
          Order.class,
          new TypeRef<Map<String, Object>>() {}.type(),
          new TypeRef<List<String>>() {}.type(),
          JsonNode.class,
          String.class,
          byte[].class,
          double.class);

  private static final List<String> NAMES =
      List.of("id", "customer", "paid", "lines", "sums", "big", "next", "article", "price");

  private static final List<String> TEXTS =
      List.of(
          "",
          "Ann",
          "caf\u00e9",
          "\u0416\u4e2d\ufeff",
          "\ud83d\ude00",
          "a\\u0000b",
          "\\ud800",
          "\\ud83d\\ude00",
          "\\n\\\"\\/",
          "\ufffd",
          "QUJD",
          "?",
          "x".repeat(70),
          "\u00e9".repeat(40) + "\u4e2d",
          "a name that is longer than any table of short ones \u00e9");

  private static final List<String> NUMBERS =
      List.of(
          "0",
          "-0",
          "7",
          "-1",
          "1.5",
          "1e3",
          "1E-7",
          "123456789012",
          "9007199254740993",
          "0.1",
          "12345678901234567890123",
          "1e400",
          "-1.0",
          "100000000000000000.25",
          "5e-324");

  /** Bytes that are inserted into valid JSON. */
  private static final List<byte[]> PIECES =
      List.of(
          bytes(0),
          bytes(0, 0),
          bytes(0xEF, 0xBB, 0xBF),
          bytes(0xC0, 0x80),
          bytes(0xC3),
          bytes(0x80),
          bytes(0xE0, 0x80, 0x80),
          bytes(0xE2, 0x82),
          bytes(0xED, 0xA0, 0x80),
          bytes(0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80),
          bytes(0xF0, 0x80, 0x80, 0x80),
          bytes(0xF0, 0x9F, 0x98),
          bytes(0xF4, 0x90, 0x80, 0x80),
          bytes(0xF8, 0x88, 0x80, 0x80, 0x80),
          bytes(0xFF),
          bytes(0xFE, 0xFF),
          bytes('"'),
          bytes('\\'),
          bytes('\\', 'u', '0', '0', '4'),
          bytes(','),
          bytes('['),
          bytes('}'),
          bytes('\n'),
          bytes(0xE2, 0x80, 0xA8),
          bytes('N', 'a', 'N'),
          bytes('/', '*', '*', '/'));

  private final Random random = new Random(4627);
  private final List<JsonCodec> codecs =
      List.of(new JacksonCodec(), JacksonCodec.of(loose()), JacksonCodec.of(narrow()));

  private static JsonMapper loose() {
    JsonMapper.Builder builder = JsonMapper.builder();
    for (JsonReadFeature feature : JsonReadFeature.values()) {
      builder.enable(feature);
    }
    return builder.build();
  }

  private static JsonMapper narrow() {
    StreamReadConstraints constraints =
        StreamReadConstraints.builder()
            .maxNameLength(8)
            .maxStringLength(60)
            .maxNumberLength(12)
            .maxNestingDepth(4)
            .maxTokenCount(90)
            .maxDocumentLength(300)
            .build();
    return JsonMapper.builder(JsonFactory.builder().streamReadConstraints(constraints).build())
        .build();
  }

  @Test
  void bytesAreReadAsTheirText() {
    int read = 0;
    for (int i = 0; i < INPUTS; i++) {
      byte[] utf8 = input(i);
      for (JsonCodec codec : codecs) {
        read += plain(codec, utf8) ? 1 : 0;
        for (Type type : TYPES) {
          String fromText = shown(() -> codec.read(Utf8.text(utf8), type));
          assertEquals(fromText, shown(() -> codec.read(utf8, type)), () -> escaped(utf8));
        }
      }
    }
    assertTrue(read > INPUTS / 2, "too little valid JSON: " + read);
  }

  private static boolean plain(JsonCodec codec, byte[] utf8) {
    boolean isJson = false;
    for (JsonCodec.ReadOptions reading :
        List.of(
            JsonCodec.ReadOptions.DEFAULT,
            new JsonCodec.ReadOptions(3, false),
            new JsonCodec.ReadOptions(1000, true))) {
      String fromText = shown(() -> codec.read(Utf8.text(utf8), reading));
      assertEquals(fromText, shown(() -> codec.read(utf8, reading)), () -> escaped(utf8));
      isJson |= !fromText.startsWith("IllegalArgumentException");
    }
    return isJson;
  }

  @Test
  void clientsGetTheSameErrors() {
    for (int i = 0; i < INPUTS; i++) {
      byte[] utf8 = input(i);
      JsonCodec codec = codecs.get(0);
      JsonCodec.ReadOptions plain = JsonCodec.ReadOptions.DEFAULT;
      String fromText =
          answer(req -> RequestControl.jsonBody(req, codec.parse(Utf8.text(utf8), plain)));
      assertEquals(
          fromText,
          answer(req -> RequestControl.jsonBody(req, codec.parse(utf8, plain))),
          () -> escaped(utf8));
    }
  }

  @Test
  void longJsonIsRead() {
    String item = "{\"article\":\"caf\u00e9\",\"price\":1.5,\"count\":2,\"tags\":[\"\u4e2d\"]}";
    String text =
        "{\"id\":1,\"customer\":\"A\",\"paid\":true,\"lines\":["
            + String.join(",", java.util.Collections.nCopies(2000, item))
            + "],\"sums\":{}}";
    byte[] utf8 = Utf8.bytes(text);
    for (JsonCodec codec : codecs) {
      assertEquals(
          shown(() -> codec.read(text, Order.class)), shown(() -> codec.read(utf8, Order.class)));
    }
  }

  @Test
  void unpairedSurrogatesAreKept() {
    JsonCodec codec = codecs.get(0);
    assertEquals(
        List.of("\ud800", "\ud83d\ude00\udc00", "?"),
        codec.read("[\"\ud800\",\"\ud83d\ude00\udc00\",\"?\"]"));
    assertEquals(
        "IllegalArgumentException: JSON: unexpected U+D83D at line 1, column 2",
        shown(() -> codec.read("[\ud83d\ude00]")));
    assertEquals(
        Map.of("\u0416", 1, "\u0416\u0416", 2, "\u4e2d", 3),
        codec.read("{\"\u0416\":1,\"\u0416\u0416\":2,\"\u4e2d\":3}"));
  }

  @Test
  void oneLeadingByteOrderMarkIsSkipped() {
    JsonCodec codec = codecs.get(0);
    JsonCodec.ReadOptions plain = JsonCodec.ReadOptions.DEFAULT;
    assertEquals(List.of(1), codec.read(Utf8.bytes("\ufeff [1]"), plain));
    assertEquals(
        "IllegalArgumentException: JSON: unexpected U+FEFF at line 1, column 1",
        shown(() -> codec.read(Utf8.bytes("\ufeff\ufeff[1]"), plain)));
    assertEquals(
        "IllegalArgumentException: JSON: unexpected U+FEFF at line 2, column 5",
        shown(() -> codec.read(Utf8.bytes("\ufeff[\n\"\u0416\",\ufeff1]"), plain)));
    assertEquals(
        "IllegalArgumentException: JSON: unexpected end of text at line 1, column 2",
        shown(() -> codec.read(Utf8.bytes("\ufeff["), plain)));
  }

  private byte[] input(int number) {
    StringBuilder text = new StringBuilder();
    if (number % 3 == 0) {
      order(text, 0);
    } else {
      value(text, 0);
    }
    if (number % 50 == 0) {
      int levels = 490 + random.nextInt(520);
      text.insert(0, "[".repeat(levels)).append("]".repeat(levels));
    }
    byte[] utf8 = text.toString().getBytes(StandardCharsets.UTF_8);
    for (int i = random.nextInt(3); number % 2 == 1 && i >= 0; i--) {
      utf8 = mutated(utf8);
    }
    return utf8;
  }

  private void order(StringBuilder text, int level) {
    text.append("{\"id\":").append(any(NUMBERS)).append(",\"customer\":");
    text.append('"').append(any(TEXTS)).append("\",\"paid\":true, \"lines\":[");
    for (int i = random.nextInt(3); i > 0; i--) {
      text.append("{\"article\":\"")
          .append(any(TEXTS))
          .append("\",\"price\":")
          .append(any(NUMBERS));
      text.append(",\"count\":").append(random.nextInt(9) - 1).append(",\"tags\":[\"");
      text.append(any(TEXTS)).append(i == 1 ? "\"]}" : "\"]},");
    }
    text.append("],\n\"sums\":{\"").append(any(TEXTS)).append("\":").append(any(NUMBERS));
    text.append("},\"").append(any(TEXTS)).append("\":");
    value(text, 2);
    if (level < 2 && random.nextBoolean()) {
      text.append(",\"next\":");
      order(text, level + 1);
    }
    text.append('}');
  }

  private void value(StringBuilder text, int level) {
    switch (random.nextInt(level > 4 ? 5 : 9)) {
      case 0 -> text.append(any(List.of("true", "false", "null")));
      case 1, 2 -> text.append(any(NUMBERS));
      case 3, 4 -> text.append('"').append(any(TEXTS)).append('"');
      case 5, 6 -> {
        text.append('[');
        for (int i = random.nextInt(4); i > 0; i--) {
          value(text, level + 1);
          text.append(i == 1 ? "" : ", ");
        }
        text.append(']');
      }
      default -> {
        text.append("{ ");
        for (int i = random.nextInt(5); i > 0; i--) {
          text.append('"').append(any(random.nextBoolean() ? NAMES : TEXTS)).append("\":");
          value(text, level + 1);
          text.append(i == 1 ? "" : ",\r\n");
        }
        text.append('}');
      }
    }
  }

  /** Inserts, removes or replaces bytes, at the beginning more often than elsewhere. */
  private byte[] mutated(byte[] utf8) {
    int at = random.nextInt(4) == 0 ? 0 : random.nextInt(utf8.length + 1);
    int to = Math.min(utf8.length, at + random.nextInt(3));
    byte[] piece = random.nextInt(4) == 0 ? new byte[0] : any(PIECES);
    byte[] made = Arrays.copyOf(utf8, at + piece.length + utf8.length - to);
    System.arraycopy(piece, 0, made, at, piece.length);
    System.arraycopy(utf8, to, made, at + piece.length, utf8.length - to);
    return made;
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  private static String escaped(byte[] utf8) {
    return new String(utf8, StandardCharsets.ISO_8859_1);
  }

  /** Returns a value as text with the classes of its parts, or the exception that was thrown. */
  private static String shown(Supplier<@Nullable Object> read) {
    try {
      Object value = read.get();
      return classes(value) + " " + (value instanceof byte[] all ? Arrays.toString(all) : value);
    } catch (RuntimeException e) {
      return e.getClass().getSimpleName() + ": " + e.getMessage();
    }
  }

  private static String classes(@Nullable Object value) {
    StringBuilder classes = new StringBuilder();
    List<@Nullable Object> open = new ArrayList<>();
    open.add(value);
    while (!open.isEmpty()) {
      Object one = open.remove(open.size() - 1);
      classes.append(one == null ? "-" : one.getClass().getSimpleName());
      if (one instanceof Map<?, ?> map) {
        open.addAll(map.values());
      } else if (one instanceof List<?> list) {
        open.addAll(list);
      }
    }
    return classes.toString();
  }

  private static String answer(Consumer<Request> body) {
    Middleware parser =
        (req, res, next) -> {
          body.accept(req);
          next.run();
        };
    Handler handler = (req, res) -> res.send("read " + req.body(Order.class));
    ErrorHandler errors = (error, req, res, next) -> res.send(shown(error));
    Service service = Chain.service(new Settings(), parser, handler, errors);
    return Call.post("/").body("{}").to(service).text();
  }

  private static String shown(Throwable error) {
    String text = error.getClass().getSimpleName() + ": " + error.getMessage();
    return error instanceof HttpError http
        ? text + http.status() + http.type() + http.fields() + Objects.hash(http.field("body"))
        : text;
  }
}

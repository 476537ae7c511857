package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.core.ChunkReader;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Middleware;
import dev.percolate.core.RequestControl;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.TestExchange;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BodyParserTest {

  private static final String JSON = "application/json";
  private static final String BINARY = "application/octet-stream";

  @Test
  void bodyIsParsedAndPassedOnOnce() {
    Recorder seen = Recorder.play(Post.of(JSON, "{\"a\":[1]}"), BodyParsers.json());
    assertEquals(Map.of("a", List.of(1)), seen.body());
    assertEquals(1, seen.calls);
  }

  @Test
  void laterHandlersRunInsideTheCallIfTheThreadWaits() {
    List<String> order = new ArrayList<>();
    Middleware around =
        (req, res, next) -> {
          next.run();
          order.add("returned");
        };
    Middleware behind =
        (req, res, next) -> {
          order.add("behind " + Thread.currentThread().getName());
          next.run();
        };
    String here = Thread.currentThread().getName();
    Recorder.play(Post.of(JSON, "[]"), around, BodyParsers.json(), behind);
    assertEquals(List.of("behind " + here, "returned"), order);
  }

  @Test
  void laterChunksAreParsedOnTheSerialExecutor() {
    TestExchange exchange = Post.of(JSON, "{\"a\":\"\u00e9\"}").chunkSize(1).asynchronous();
    Recorder seen = Recorder.play(exchange, BodyParsers.json());
    assertEquals(Map.of("a", "\u00e9"), seen.body());
    assertEquals("turn", seen.thread == null ? "" : seen.thread.getName());
  }

  @Test // step 1
  @DisplayName("BODY-06: second parser skips what the first has read")
  void secondParserSkipsWhatTheFirstHasRead() {
    Recorder seen =
        Recorder.play(Post.of(JSON, "[1]"), BodyParsers.json(), BodyParsers.raw().type());
    assertEquals(List.of(1), seen.body());
  }

  @Test // step 1
  void aParserAfterAFailedReadSkipsTheBody() {
    ErrorHandler ignore = (error, req, res, next) -> next.run();
    TestExchange exchange = Post.of(JSON, "[");
    Recorder seen = Recorder.play(exchange, BodyParsers.json(), ignore, BodyParsers.text().type());
    assertNull(seen.body());
    TestExchange large = Post.of(JSON, "[1]");
    seen = Recorder.play(large, BodyParsers.json().limit(2), ignore, BodyParsers.text().type());
    assertNull(seen.body());
    assertEquals(0, large.reads());
  }

  @Test // steps 5 to 7
  void aLaterParserMayReadABodyThatAnEarlierOneRejected() {
    ErrorHandler ignore = (error, req, res, next) -> next.run();
    TestExchange exchange = Post.of(JSON + "; charset=koi8-r", "[1]");
    Recorder seen = Recorder.play(exchange, BodyParsers.json(), ignore, BodyParsers.text().type());
    assertEquals("[1]", seen.body());
  }

  @Test // step 2
  void aBodySetByEarlierMiddlewareStaysIfNothingIsParsed() {
    Middleware above =
        (req, res, next) -> {
          RequestControl.body(req, "mine");
          next.run();
        };
    assertEquals("mine", Recorder.play(Post.of(JSON), above, BodyParsers.json()).body());
    TestExchange parsed = Post.of(JSON, "[2]");
    assertEquals(List.of(2), Recorder.play(parsed, above, BodyParsers.json()).body());
  }

  @Test // step 3
  @DisplayName("BODY-05, BODY-25: request without a body is passed on unread")
  void requestWithoutABodyIsPassedOnUnread() {
    TestExchange exchange = Post.of(JSON).chunk(new byte[] {'['});
    assertNull(Recorder.play(exchange, BodyParsers.json()).body());
    assertEquals(0, exchange.reads());
    TestExchange odd = Post.of(JSON).header("Content-Length", "abc");
    assertNull(Recorder.play(odd, BodyParsers.json()).body());
  }

  @Test // step 3
  @DisplayName("BODY-05: empty body is a body")
  void emptyBodyIsABody() {
    assertEquals(Map.of(), Recorder.play(Post.of(JSON, ""), BodyParsers.json()).body());
    TestExchange chunked = Post.of(JSON).chunked();
    assertEquals(Map.of(), Recorder.play(chunked, BodyParsers.json()).body());
  }

  @Test // step 3
  void http2BodiesNeedNoHeaders() {
    byte[] text = "[1]".getBytes(StandardCharsets.UTF_8);
    TestExchange exchange = Post.of(JSON).chunk(text).httpVersion("2.0");
    assertEquals(List.of(1), Recorder.play(exchange, BodyParsers.json()).body());
    TestExchange none = Post.of(JSON).httpVersion("2.0");
    assertNull(Recorder.play(none, BodyParsers.json()).body());
  }

  @ParameterizedTest // step 4
  @DisplayName("BODY-21: one reading of the type decides")
  @CsvSource({
    "application/json,true", "Application/JSON,true", "'application/json ;',true",
    "'application/json\t;x',true", "application/json;,true", "application/jsonp,false",
    "text/json,false", "json,false", "'application/json, text/plain',false",
    "application/json/x,false", "'',false"
  })
  void onlyTheTypeOfTheParserIsParsed(String type, boolean parsed) {
    Object body = Recorder.play(Post.of(type, "[1]"), BodyParsers.json()).body();
    assertEquals(parsed ? List.of(1) : null, body);
  }

  @Test // section 4
  void typesAreChosenByNameSuffixAndExtension() {
    TestExchange problem = Post.of("application/problem+json", "[1]");
    assertEquals(List.of(1), Recorder.play(problem, BodyParsers.json().type("x", "+json")).body());
    TestExchange html = Post.of("text/html", "x");
    assertEquals("x", Recorder.play(html, BodyParsers.text().type("html")).body());
    TestExchange any = Post.of("a/b", "x");
    assertEquals("x", Recorder.play(any, BodyParsers.text().type()).body());
    TestExchange usual = Post.of("text/plain", "x");
    assertEquals("x", Recorder.play(usual, BodyParsers.text().type("")).body());
  }

  @Test // step 4
  void typeFunctionIsAskedOnlyForBodies() {
    List<String> asked = new ArrayList<>();
    TextParser parser =
        BodyParsers.text()
            .type(
                req -> {
                  asked.add("asked");
                  return req.get("Content-Type") == null;
                });
    assertNull(Recorder.play(Post.untyped(), parser).body());
    assertEquals(List.of(), asked);
    TestExchange untyped = Post.untyped().length(1).chunk(new byte[] {'x'});
    assertEquals("x", Recorder.play(untyped, parser).body());
    assertNull(Recorder.play(Post.of("text/plain", "x"), parser).body());
    assertEquals(2, asked.size());
  }

  @Test // step 7
  @DisplayName("BODY-10: unknown encodings are refused unread")
  void unknownEncodingsAreRejectedUnread() {
    for (String encoding :
        List.of("x-gzip2", "gzip, zstd", "gzip;q=1", "zstd", "zstd, gzip", "*")) {
      TestExchange exchange = Post.of(BINARY, "x").header("Content-Encoding", encoding);
      Recorder seen = Recorder.play(exchange, BodyParsers.raw());
      String message = "unsupported content encoding \"" + encoding + "\"";
      assertEquals("415 encoding.unsupported " + message, seen.failure());
      assertEquals(encoding, seen.error().field("encoding"));
      assertEquals(0, exchange.reads());
    }
    TestExchange twice =
        Post.of(BINARY, "x").header("Content-Encoding", "gzip").header("Content-Encoding", "zstd");
    assertEquals("gzip, zstd", Recorder.play(twice, BodyParsers.raw()).error().field("encoding"));
  }

  @Test
  @DisplayName("BODY-10: long name of an encoding is cut in the message")
  void longNameOfAnEncodingIsCutInTheMessage() {
    String name = "gzip, ".repeat(1000);
    TestExchange exchange = Post.of(BINARY, "x").header("Content-Encoding", name);
    String message = Recorder.play(exchange, BodyParsers.raw()).error().getMessage();
    assertEquals(71, message == null ? 0 : message.length());
  }

  @Test // step 7, DECISIONS 6
  @DisplayName("BODY-16: without inflating any encoding is refused")
  void anyEncodingIsRejectedIfInflateIsFalse() {
    TestExchange exchange = Post.of(BINARY, "x").header("Content-Encoding", "GZIP");
    Recorder seen = Recorder.play(exchange, BodyParsers.raw().inflate(false));
    assertEquals("415 encoding.unsupported content encoding unsupported", seen.failure());
    assertEquals("gzip", seen.error().field("encoding"));
    assertEquals("gzip", seen.error().field("charset"));
    TestExchange plain = Post.of(BINARY, "x").header("Content-Encoding", "Identity");
    assertArrayEquals(
        new byte[] {'x'}, (byte[]) Recorder.play(plain, BodyParsers.raw().inflate(false)).body());
  }

  @Test // step 8
  @DisplayName("BODY-02: announced length beyond the limit is refused unread")
  void announcedLengthBeyondTheLimitIsRejectedUnread() {
    TestExchange exchange = Post.of(BINARY, "1234");
    Recorder seen = Recorder.play(exchange, BodyParsers.raw().limit(3));
    assertEquals("413 entity.too.large request entity too large", seen.failure());
    assertEquals(
        Map.of("limit", 3L, "length", 4L, "expected", 4L), Map.copyOf(seen.error().fields()));
    assertEquals(0, exchange.reads());
    TestExchange huge = Post.of(BINARY).header("Content-Length", "9".repeat(30));
    assertEquals(413, Recorder.play(huge, BodyParsers.raw()).error().status());
  }

  @Test // step 12
  @DisplayName("BODY-03: bytes beyond the limit are refused while reading")
  void bytesBeyondTheLimitAreRejectedWhileReading() {
    TestExchange exchange = Post.of(BINARY, "123456").chunked().chunkSize(2);
    Recorder seen = Recorder.play(exchange, BodyParsers.raw().limit(3));
    assertEquals("413 entity.too.large request entity too large", seen.failure());
    assertEquals(Map.of("limit", 3L, "received", 4L), Map.copyOf(seen.error().fields()));
    assertEquals(2, exchange.reads());
    TestExchange full = Post.of(BINARY, "123").chunked();
    assertArrayEquals(
        new byte[] {'1', '2', '3'},
        (byte[]) Recorder.play(full, BodyParsers.raw().limit(3)).body());
  }

  @ParameterizedTest // section 2
  @CsvSource({"100kb,102400", "3,3", "3b,3", "1.5 KB,1536", "0,0"})
  void limitMayBeText(String limit, long bytes) {
    TestExchange exchange = Post.of(BINARY).length(1L << 40);
    Recorder seen = Recorder.play(exchange, BodyParsers.raw().limit(limit));
    assertEquals(bytes, seen.error().field("limit"));
  }

  @Test // section 1
  void limitIsAHundredKibibytesByDefault() {
    TestExchange exchange = Post.of(BINARY).length(102401);
    Recorder seen = Recorder.play(exchange, BodyParsers.raw().limit(5).limit(null));
    assertEquals(102400L, seen.error().field("limit"));
    byte[] most = new byte[102400];
    assertArrayEquals(
        most, (byte[]) Recorder.play(Post.of(BINARY, most), BodyParsers.raw()).body());
  }

  @ParameterizedTest // section 1
  @DisplayName("BODY-01: limit that is no size is refused when set")
  @ValueSource(
      strings = {"lots", "", ".5kb", "true", "NaN", "10 bananas", " 3kb", "3.9", "-1", "1e3"})
  void anInvalidLimitIsRejectedWhenSet(String limit) {
    IllegalArgumentException rejection =
        assertThrows(
            IllegalArgumentException.class,
            () -> assertNotSame(null, BodyParsers.raw().limit(limit)));
    assertEquals(
        "limit must be a size such as \"100kb\", was \"" + limit + "\"", rejection.getMessage());
  }

  @Test
  @DisplayName("BODY-01: negative limit is refused when set")
  void negativeLimitIsRejectedWhenSet() {
    IllegalArgumentException rejection =
        assertThrows(
            IllegalArgumentException.class, () -> assertNotSame(null, BodyParsers.raw().limit(-5)));
    assertEquals("limit must be at least 0, was -5", rejection.getMessage());
  }

  @Test // step 9
  void aBodyDecodedByOtherMiddlewareIsRejected() {
    Middleware above =
        (req, res, next) -> {
          RequestControl.encoding(req, "utf8");
          next.run();
        };
    Recorder seen = Recorder.play(Post.of(BINARY, "x"), above, BodyParsers.raw());
    assertEquals(
        "500 stream.encoding.set"
            + " RequestControl.encoding(…) was called before the body parser, which needs bytes",
        seen.failure());
    seen = Recorder.play(Post.of("a/b", "x"), above, BodyParsers.raw());
    assertNull(seen.body());
  }

  @Test // step 10, DECISIONS 7
  void aBodyReadByOtherMiddlewareIsAnError() {
    Middleware above =
        (req, res, next) ->
            req.read(
                new ChunkReader() {
                  @Override
                  public boolean chunk(ByteBuffer bytes) {
                    return true;
                  }

                  @Override
                  public void done(@Nullable Throwable failure) {
                    next.run();
                  }
                });
    Recorder seen = Recorder.play(Post.of(BINARY, "x"), above, BodyParsers.raw());
    assertEquals("500 stream.not.readable the body has been read already", seen.failure());
  }

  @Test // step 12
  @DisplayName("BODY-04: client that goes away is told")
  void aDisconnectedClientIsReported() {
    TestExchange exchange =
        Post.of(BINARY)
            .length(10)
            .chunk(new byte[5])
            .failing(new ClientDisconnectedException(null));
    Recorder seen = Recorder.play(exchange, BodyParsers.raw());
    assertEquals("400 request.aborted request aborted", seen.failure());
    assertEquals(
        Map.of("received", 5L, "expected", 10L, "length", 10L, "code", "ECONNABORTED"),
        Map.copyOf(seen.error().fields()));
    TestExchange chunked =
        Post.of(BINARY).chunked().chunk(new byte[5]).failing(new ClientDisconnectedException(null));
    seen = Recorder.play(chunked, BodyParsers.raw());
    assertEquals(Map.of("received", 5L, "code", "ECONNABORTED"), Map.copyOf(seen.error().fields()));
  }

  @Test
  void malformedFramingIsPassedOnAsItIs() {
    HttpError malformed = new HttpError(400, "bad chunk");
    TestExchange exchange = Post.of(BINARY).chunked().failing(malformed);
    assertSame(malformed, Recorder.play(exchange, BodyParsers.raw()).error());
  }

  @Test // step 12
  void lengthThatDiffersFromTheHeaderIsRejected() {
    TestExchange exchange = Post.of(BINARY).length(2).chunk(new byte[3]);
    Recorder seen = Recorder.play(exchange, BodyParsers.raw());
    assertEquals(
        "400 request.size.invalid request size did not match content length", seen.failure());
    assertEquals(
        Map.of("received", 3L, "expected", 2L, "length", 2L), Map.copyOf(seen.error().fields()));
  }

  @Test // step 13
  @DisplayName("BODY-22: verifier sees bytes and charset before the body is set")
  void verifierSeesBytesAndCharsetBeforeTheBodyIsSet() {
    List<@Nullable Object> seen = new ArrayList<>();
    Verifier verifier =
        (req, res, bytes, charset) -> {
          seen.add(new String(bytes, StandardCharsets.ISO_8859_1));
          seen.add(charset);
          seen.add(req.body());
        };
    TestExchange text = Post.of("text/plain; charset=ISO-8859-1", "x");
    assertEquals("x", Recorder.play(text, BodyParsers.text().verify(verifier)).body());
    Recorder.play(Post.of(BINARY, ""), BodyParsers.raw().verify(verifier));
    List<@Nullable Object> expected = new ArrayList<>(List.of("x", "iso-8859-1"));
    expected.add(null);
    expected.add("");
    expected.add(null);
    expected.add(null);
    assertEquals(expected, seen);
  }

  @Test // step 13
  void verifierComesBeforeParsing() {
    JsonParser parser = BodyParsers.json().verify((req, res, bytes, charset) -> fail("unsigned"));
    Recorder seen = Recorder.play(Post.of(JSON, "nonsense"), parser);
    assertEquals("403 entity.verify.failed unsigned", seen.failure());
    assertEquals("unsigned", seen.error().getCause().getMessage());
    assertArrayEquals(
        "nonsense".getBytes(StandardCharsets.UTF_8), (byte[]) seen.error().field("body"));
  }

  @Test // section 9
  void errorOfAVerifierKeepsWhatItHas() {
    HttpError own = new HttpError(418, "odd", "tea", null);
    assertSame(own, verified(own).error());
    HttpError untyped = new HttpError(401, "go away").with("realm", "x");
    Recorder seen = verified(untyped);
    assertEquals("401 entity.verify.failed go away", seen.failure());
    assertEquals("x", seen.error().field("realm"));
  }

  @Test // step 6
  void fieldsOfAVerifiersErrorMatchItsStatus() {
    HttpError own =
        new HttpError(422, "no", "sig.bad", null)
            .with("statusCode", 418)
            .with("status", 700)
            .with("expose", false)
            .with("code", "E");
    HttpError seen = verified(own).error();
    assertEquals(422, seen.status());
    assertEquals(422, seen.field("status"));
    assertEquals(422, seen.field("statusCode"));
    assertEquals(true, seen.field("expose"));
    assertEquals("E", seen.field("code"));
    assertNull(verified(new HttpError(401)).error().field("statusCode"));
  }

  @Test
  void verifierIsNotAskedWhereTheCharsetIsUnknown() {
    TestExchange exchange = Post.of("text/plain; charset=nosuch", "x");
    Recorder seen =
        Recorder.play(exchange, BodyParsers.text().verify((req, res, b, c) -> fail("asked")));
    assertEquals("415 charset.unsupported unsupported charset \"NOSUCH\"", seen.failure());
    assertEquals(0, exchange.reads());
  }

  @Test // steps 7, 8 and 11
  void encodingAndLengthAreCheckedBeforeTheCharset() {
    TestExchange exchange =
        Post.of("text/plain; charset=nosuch", "xx").header("Content-Encoding", "zstd");
    assertEquals(
        "encoding.unsupported", Recorder.play(exchange, BodyParsers.text()).error().type());
    TestExchange large = Post.of("text/plain; charset=nosuch", "xx");
    Recorder seen = Recorder.play(large, BodyParsers.text().limit(1));
    assertEquals("entity.too.large", seen.error().type());
  }

  @Test
  void rawBytesAreKeptOnRequest() {
    Recorder seen = Recorder.play(Post.of(JSON, "[1]"), BodyParsers.json().keepRaw(true));
    assertArrayEquals(
        "[1]".getBytes(StandardCharsets.UTF_8),
        seen.req == null ? null : seen.req.attr(BodyParsers.RAW));
    seen = Recorder.play(Post.of(JSON, "[1]"), BodyParsers.json());
    assertNull(seen.req == null ? "" : seen.req.attrOrNull(BodyParsers.RAW));
  }

  @Test
  void optionsGiveChangedCopies() {
    RawParser parser = BodyParsers.raw();
    assertNotSame(parser, parser.limit(1));
    byte[] two = {1, 2};
    assertArrayEquals(two, (byte[]) Recorder.play(Post.of(BINARY, two), parser).body());
  }

  @Test
  @DisplayName("BODY-24: many small pieces are joined")
  void manySmallPiecesAreJoined() {
    byte[] body = new byte[100_000];
    body[99_999] = 1;
    TestExchange exchange = Post.of(BINARY, body).chunked().chunkSize(1);
    assertArrayEquals(body, (byte[]) Recorder.play(exchange, BodyParsers.raw()).body());
  }

  private static Recorder verified(HttpError thrown) {
    RawParser parser =
        BodyParsers.raw()
            .verify(
                (req, res, bytes, charset) -> {
                  throw thrown;
                });
    return Recorder.play(Post.of(BINARY, "x"), parser);
  }

  private static void fail(String message) throws Exception {
    throw new Exception(message);
  }
}

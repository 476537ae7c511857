package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code Content-Encoding} is a list of codings, with aliases (RFC 9110 sections 8.4, 8.4.1). */
final class ContentCodingListTest {

  @ParameterizedTest
  @ValueSource(strings = {"x-gzip", "X-GZip", "gzip", "GZIP"})
  void xGzipIsGzip(String coding) throws IOException {
    assertEquals("hello", read(coding, gzip(bytes("hello"))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "identity, gzip|z",
        "gzip, identity|z",
        "gzip,|z",
        ", ,gzip|z",
        "gzip, gzip|zz",
        "x-gzip,gzip|zz",
        "deflate, gzip|dz",
        "gzip, deflate|zd",
        "gzip, deflate, gzip, deflate, gzip|zdzdz",
        "identity|''",
        "identity, identity|''",
        "IDENTITY|''"
      })
  void codingsAreDecodedFromTheLastToTheFirst(String header, String applied) throws IOException {
    byte[] body = bytes("hello");
    for (int i = 0; i < applied.length(); i++) {
      body = applied.charAt(i) == 'z' ? gzip(body) : deflate(body);
    }
    for (int size : new int[] {1, 7, body.length}) {
      TestExchange exchange = request(header, body).chunkSize(size);
      assertEquals("hello", Recorder.play(exchange, BodyParsers.text()).body());
    }
  }

  @Test
  void severalHeaderLinesAreOneList() throws IOException {
    TestExchange exchange = request("deflate", gzip(deflate(bytes("hello"))));
    exchange.header("Content-Encoding", "gzip");
    assertEquals("hello", Recorder.play(exchange, BodyParsers.text()).body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "compress",
        "x-compress",
        "gzip, nothing",
        "gzip gzip",
        "gzip;q=1",
        "gzip, gzip, gzip, gzip, gzip, gzip"
      })
  void listWithAnUnknownCodingOrTooManyIsRejected(String header) {
    Recorder seen = Recorder.play(request(header, bytes("x")), BodyParsers.text());
    assertEquals(415, seen.error().status());
    assertEquals("encoding.unsupported", seen.error().type());
    assertEquals(header, seen.error().field("encoding"));
  }

  @Test
  void wrongOrderOfCodingsIsMalformed() throws IOException {
    Recorder seen =
        Recorder.play(request("gzip, deflate", gzip(deflate(bytes("x")))), BodyParsers.text());
    assertEquals(400, seen.error().status());
  }

  @Test
  void theLimitHoldsBetweenCodings() throws IOException {
    byte[] bomb = gzip(gzip(new byte[50_000_000]));
    assertTrue(bomb.length < 2000);
    Recorder seen = Recorder.play(request("gzip, gzip", bomb), BodyParsers.text());
    assertEquals("entity.too.large", seen.error().type());
    // Empty members: the outer coding produces a lot of data, the inner one none.
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    for (int i = 0; i < 100_000; i++) {
      members.writeBytes(gzip(new byte[0]));
    }
    byte[] idle = gzip(members.toByteArray());
    seen = Recorder.play(request("gzip, gzip", idle), BodyParsers.text());
    assertEquals("entity.too.large", seen.error().type());
  }

  @Test
  void aListIsRejectedIfInflateIsFalse() throws IOException {
    TestExchange exchange = request("identity, gzip", gzip(bytes("x")));
    Recorder seen = Recorder.play(exchange, BodyParsers.text().inflate(false));
    assertEquals("415 encoding.unsupported content encoding unsupported", seen.failure());
  }

  @ParameterizedTest
  @CsvSource({
    "application/json; charset=utf8,[],200",
    "application/json; charset=UTF_8,[],200",
    "application/json; charset=utf16le,[],400",
    "application/x-www-form-urlencoded; charset=utf8,a=%C3%A9,200",
    "application/x-www-form-urlencoded; charset=UTF8,a=%C3%A9,200",
    "application/x-www-form-urlencoded; charset=latin1,a=%E9,200",
    "application/x-www-form-urlencoded; charset=ISO_8859-1:1987,a=%E9,200",
    "application/json; charset=utf8mb4,[],415",
    "application/json; charset=latin1,[],415"
  })
  void aliasesOfCharsetsAreRead(String type, String body, int status) {
    Reply reply = Call.post("/").header("Content-Type", type).body(body).to(service(false));
    assertEquals(status, reply.status(), reply::text);
    if (body.startsWith("a=")) {
      assertEquals("{a=\u00e9}", reply.text());
    }
  }

  @Test
  void exactNamesAreASetting() throws IOException {
    for (String type :
        new String[] {
          "application/json; charset=utf8",
          "application/x-www-form-urlencoded; charset=utf8",
          "application/x-www-form-urlencoded; charset=latin1"
        }) {
      Reply reply = Call.post("/").header("Content-Type", type).body("[]").to(service(true));
      assertEquals("415 charset.unsupported", reply.status() + " " + reply.text());
    }
    for (String coding : new String[] {"x-gzip", "identity, gzip", "gzip, gzip"}) {
      Reply reply =
          Call.post("/")
              .header("Content-Type", "text/plain")
              .header("Content-Encoding", coding)
              .body(gzip(bytes("x")))
              .to(service(true));
      assertEquals("415 encoding.unsupported", reply.status() + " " + reply.text());
    }
  }

  private static Service service(boolean exact) {
    Middleware show = (req, res, next) -> res.send(String.valueOf(req.body()));
    ErrorHandler errors =
        ErrorHandler.of(
            HttpError.class,
            (error, req, res, next) -> res.status(error.status()).send(error.type()));
    return Chain.service(
        new Settings().set(BodyParser.EXACT_NAMES, exact),
        BodyParsers.json(),
        BodyParsers.urlencoded(),
        BodyParsers.text(),
        show,
        errors);
  }

  private static Object read(String header, byte[] body) {
    Object read = Recorder.play(request(header, body), BodyParsers.text()).body();
    return read == null ? "nothing" : read;
  }

  private static TestExchange request(String header, byte[] body) {
    return Post.of("text/plain", body).header("Content-Encoding", header);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] gzip(byte[] body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(body);
    }
    return bytes.toByteArray();
  }

  private static byte[] deflate(byte[] body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(bytes)) {
      out.write(body);
    }
    return bytes.toByteArray();
  }
}

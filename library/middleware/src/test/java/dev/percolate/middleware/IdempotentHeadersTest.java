package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.percolate.core.FormFile;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the headers and codings of stored responses, and the files of requests. */
final class IdempotentHeadersTest {

  private static final String LONG = "0123456789".repeat(500);

  private final AtomicInteger done = new AtomicInteger();
  private final Idempotency once =
      Idempotency.of(MemoryIdempotency.of()).anonymous().waitTimeout(Duration.ZERO);
  private final Handler plenty = (req, res) -> res.type("text").send(LONG + done.incrementAndGet());

  private static Call post() {
    return Call.post("/").header("Idempotency-Key", "1");
  }

  @Test
  void headersOfEarlierMiddlewareAreThoseOfEachRequest() {
    Middleware cors = Cors.of("https://a.example", "https://b.example");
    Middleware own =
        (req, res, next) -> {
          Object ignored = res.set("X-Seen", "by " + req.get("X-Name")).append("Link", "<before>");
          next.run();
        };
    Handler route =
        (req, res) -> {
          Object ignored = res.vary("Accept").append("Link", "</7>").set("X-Order", "7");
          res.location("/7").status(201).send("made " + done.incrementAndGet());
        };
    Call a = post().header("Origin", "https://a.example").header("X-Name", "a");
    Call b = post().header("Origin", "https://b.example").header("X-Name", "b");
    Reply first = Played.reply(a, RequestId.of(), cors, own, once, route);
    Reply second = Played.reply(b, RequestId.of(), cors, own, once, route);
    assertEquals("made 1", second.text());
    assertEquals("https://a.example", first.header("Access-Control-Allow-Origin"));
    assertEquals("https://b.example", second.header("Access-Control-Allow-Origin"));
    assertNotEquals(first.header("X-Request-Id"), second.header("X-Request-Id"));
    assertEquals("by b", second.header("X-Seen"));
    assertEquals("7", second.header("X-Order"));
    assertEquals("/7", second.header("Location"));
    assertEquals(first.all("Link"), second.all("Link"));
    assertEquals(first.header("Vary"), second.header("Vary"));
  }

  @ParameterizedTest
  @CsvSource({
    "before,gzip,gzip", "before,gzip,", "before,,gzip", "before,,", "before,deflate,gzip",
    "after,gzip,gzip", "after,gzip,", "after,,gzip", "after,deflate,gzip", "after,gzip,deflate"
  })
  void eachClientGetsACodingThatItAccepts(
      String place, @Nullable String first, @Nullable String second) throws IOException {
    Middleware compression = Compression.of();
    boolean before = place.equals("before");
    Middleware[] steps = {before ? compression : once, before ? once : compression, plenty};
    Call one = first == null ? post() : post().header("Accept-Encoding", first);
    Call two = second == null ? post() : post().header("Accept-Encoding", second);
    Reply original = Played.reply(one, steps);
    assertEquals(first, original.header("Content-Encoding"));
    Reply replayed = Played.reply(two, steps);
    boolean compressedThen = before || first != null;
    assertEquals(compressedThen ? second : null, replayed.header("Content-Encoding"));
    assertEquals(LONG + "1", plain(replayed));
    assertEquals("Accept-Encoding", replayed.header("Vary"));
    assertEquals("true", replayed.header("Idempotency-Replayed"));
    assertEquals(1, done.get());
  }

  private static String plain(Reply reply) throws IOException {
    InputStream sent = new ByteArrayInputStream(reply.bytes());
    String coding = String.valueOf(reply.header("Content-Encoding"));
    InputStream plain =
        switch (coding) {
          case "gzip" -> new GZIPInputStream(sent);
          case "deflate" -> new InflaterInputStream(sent);
          default -> sent;
        };
    return new String(plain.readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void aBodyCompressedByTheRouteIsDecompressedForOtherClients() throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
      out.write("whole".getBytes(StandardCharsets.UTF_8));
    }
    Handler route = (req, res) -> res.set("Content-Encoding", "gzip").send(zipped.toByteArray());
    Played.reply(post().header("Accept-Encoding", "gzip"), once, route);
    Reply plain = Played.reply(post(), once, route);
    assertNull(plain.header("Content-Encoding"));
    assertEquals("whole", plain.text());
  }

  @ParameterizedTest
  @CsvSource({"br,200", "'gzip, br;q=0.5',200", "gzip,409", ",409", "'br;q=0',409"})
  void anUnknownCodingIsSentOnlyToClientsThatAcceptIt(@Nullable String accepts, int status) {
    Handler route =
        (req, res) -> res.set("Content-Encoding", "br").send("as it is " + done.incrementAndGet());
    Played.reply(post().header("Accept-Encoding", "br"), once, route);
    Call again = accepts == null ? post() : post().header("Accept-Encoding", accepts);
    Reply reply = Played.reply(again, once, route);
    assertEquals(status, reply.status());
    assertEquals(status == 200 ? "br" : null, reply.header("Content-Encoding"));
    assertEquals(1, done.get());
  }

  @Test
  void theSizeLimitAppliesToTheDecompressedBody() {
    Idempotency brief = once.maxBodySize("4kb");
    Call call = post().header("Accept-Encoding", "gzip");
    assertEquals(200, Played.reply(call, brief, Compression.of(), plenty).status());
    assertEquals(409, Played.reply(call, brief, Compression.of(), plenty).status());
  }

  /** An uploaded file. */
  private record Sent(String field, String name, @Nullable String type, String content)
      implements FormFile {

    @Override
    public long size() {
      return content.length();
    }

    @Override
    public InputStream inputStream() {
      return new ByteArrayInputStream(content.getBytes(StandardCharsets.UTF_8));
    }
  }

  private int uploaded(Sent... files) {
    Middleware parsed =
        (req, res, next) -> {
          RequestControl.body(req, Map.of("a", "1"));
          req.attr(Request.FORM_FILES, List.of(files));
          next.run();
        };
    return Played.reply(post(), parsed, once, plenty).status();
  }

  @Test
  void filesBelongToTheRequest() {
    Sent file = new Sent("photo", "a.png", "image/png", "content");
    assertEquals(200, uploaded(file));
    assertEquals(200, uploaded(file));
    assertEquals(422, uploaded());
    assertEquals(422, uploaded(file, file));
    assertEquals(422, uploaded(new Sent("photo", "a.png", "image/png", "contenT")));
    assertEquals(422, uploaded(new Sent("photo", "b.png", "image/png", "content")));
    assertEquals(422, uploaded(new Sent("photo", "a.png", "image/jpeg", "content")));
    assertEquals(422, uploaded(new Sent("photo", "a.png", null, "content")));
    assertEquals(422, uploaded(new Sent("other", "a.png", "image/png", "content")));
    assertEquals(1, done.get());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65536, 200_000})
  void longFilesAreReadToTheirEnd(int length) {
    assertEquals(200, uploaded(new Sent("f", "f", null, "x".repeat(length) + "a")));
    assertEquals(422, uploaded(new Sent("f", "f", null, "x".repeat(length) + "b")));
  }
}

package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The headers of compressed responses, and of the corresponding HEAD and 304 responses: RFC 9110
 * sections 8.6, 8.8.3.3, 9.3.2 and 15.4.5.
 */
final class CompressedRepresentationTest {

  private static final Compression ALL = Compression.of().threshold(0);
  private static final String BODY = "abc".repeat(1000);
  private static final Handler STRONG =
      (req, res) -> res.type("text/plain").set("ETag", "\"v1\"").send(BODY);

  @ParameterizedTest
  @CsvSource({"gzip,W/\"v1\"", "deflate,W/\"v1\"", "identity,\"v1\"", "br,\"v1\""})
  void theTagIsWeakIfTheBodyIsCompressed(String coding, String tag) {
    Reply reply = Played.reply(Call.get("/").header("Accept-Encoding", coding), ALL, STRONG);
    assertEquals(tag, reply.header("ETag"));
  }

  @Test
  void aWeakTagIsUnchanged() {
    Handler handler = (req, res) -> res.type("text/plain").set("ETag", "W/\"v1\"").send(BODY);
    assertEquals("W/\"v1\"", Played.reply(gzip("GET"), ALL, handler).header("ETag"));
  }

  @Test
  void strongTagsOfTheSettingBecomeWeak() {
    Settings settings = new Settings().set("etag", "strong");
    Handler handler = (req, res) -> res.type("text/plain").send(BODY);
    String strong = Played.reply(settings, Call.get("/"), ALL, handler).header("ETag");
    Reply reply = Played.reply(settings, gzip("GET"), ALL, handler);
    assertEquals("W/" + strong, reply.header("ETag"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"v1\"", "W/\"v1\"", "*"})
  void a304HasTheTagAndVaryOfTheFullResponse(String tags) {
    for (String method : new String[] {"GET", "HEAD"}) {
      Reply reply = Played.reply(gzip(method).header("If-None-Match", tags), ALL, STRONG);
      assertEquals("304 Accept-Encoding", reply.status() + " " + reply.header("Vary"));
      assertEquals("W/\"v1\"", reply.header("ETag"));
      assertNull(reply.header("Content-Encoding"));
      assertNull(reply.header("Content-Type"));
    }
    Reply plain = Played.reply(Call.get("/").header("If-None-Match", tags), ALL, STRONG);
    assertEquals("304 Accept-Encoding", plain.status() + " " + plain.header("Vary"));
    assertEquals("\"v1\"", plain.header("ETag"));
  }

  @Test
  void a304OfAFileVariesToo(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("a.txt"), BODY);
    Call call = Call.get("/a.txt").header("Accept-Encoding", "gzip").header("If-None-Match", "*");
    Reply reply = Played.reply(call, ALL, StaticFiles.of(folder));
    assertEquals("304 Accept-Encoding", reply.status() + " " + reply.header("Vary"));
    assertNull(reply.header("Content-Encoding"));
  }

  @Test
  void headersOfThePlainBytesAreRemoved(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("a.txt"), BODY);
    for (String method : new String[] {"GET", "HEAD"}) {
      Call call = Call.of(method, "/a.txt").header("Accept-Encoding", "gzip");
      Reply reply = Played.reply(call, ALL, StaticFiles.of(folder));
      assertEquals("gzip", reply.header("Content-Encoding"));
      assertNull(reply.header("Accept-Ranges"));
    }
    Reply plain = Played.reply(Call.get("/a.txt"), ALL, StaticFiles.of(folder));
    assertEquals("bytes", plain.header("Accept-Ranges"));
    Handler digest =
        (req, res) -> res.type("text/plain").set("Content-Digest", "sha-256=:x:").send(BODY);
    assertNull(Played.reply(gzip("GET"), ALL, digest).header("Content-Digest"));
    assertEquals("sha-256=:x:", Played.reply(Call.get("/"), ALL, digest).header("Content-Digest"));
  }

  @Test
  void headHasTheHeadersOfGet(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("a.txt"), BODY);
    Handler pieces = (req, res) -> res.type("text/plain").write("abc").write(BODY).end();
    Handler stream =
        (req, res) ->
            res.type("text/plain")
                .send(new ByteArrayInputStream(BODY.getBytes(StandardCharsets.UTF_8)));
    Handler small = (req, res) -> res.type("text/plain").send("abc");
    Handler picture = (req, res) -> res.type("image/png").send(BODY);
    Handler file = (req, res) -> res.sendFile(folder.resolve("a.txt"));
    Compression standard = Compression.of();
    for (Handler handler : new Handler[] {STRONG, pieces, stream, small, picture, file}) {
      Reply get = Played.reply(gzip("GET"), standard, handler);
      Reply head = Played.reply(gzip("HEAD"), standard, handler);
      for (String name : new String[] {"Content-Encoding", "ETag", "Vary", "Content-Type"}) {
        assertEquals(get.header(name), head.header(name), name);
      }
      if (get.header("Content-Encoding") != null) {
        assertNull(head.header("Content-Length"));
      }
      assertEquals(0, head.bytes().length);
    }
  }

  @Test
  void headWithoutCompressionKeepsItsLength() {
    assertEquals("3000", Played.reply(Call.head("/"), ALL, STRONG).header("Content-Length"));
  }

  @Test
  void withExpressRulesHeadAnd304HaveTheHeadersOfTheUncompressedResponse() {
    Settings express = new Settings().set("conditional requests", "express");
    Reply head = Played.reply(express, gzip("HEAD"), ALL, STRONG);
    assertEquals("3000", head.header("Content-Length"));
    assertNull(head.header("Content-Encoding"));
    Call call = gzip("GET").header("If-None-Match", "\"v1\"");
    assertNull(Played.reply(express, call, ALL, STRONG).header("Vary"));
  }

  private static Call gzip(String method) {
    return Call.of(method, "/").header("Accept-Encoding", "gzip");
  }
}

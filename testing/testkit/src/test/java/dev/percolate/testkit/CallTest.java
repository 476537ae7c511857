package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class CallTest {

  @Test
  void aCallInMemoryGetsAResponse() {
    Service service =
        Chain.service(new Settings(), (Handler) (req, res) -> res.status(201).send(req.method()));
    Reply reply = Call.post("/x").to(service);
    assertEquals(201, reply.status());
    assertEquals("POST", reply.text());
    assertEquals("text/html; charset=utf-8", reply.header("content-type"));
    assertNull(reply.header("x"));
    assertTrue(reply.complete());
  }

  @Test
  void theHeadersEndWithTheFramingOfTheBody() {
    Call call = Call.put("/").header("A", "1").body("four");
    assertEquals("Host: h\nA: 1\nContent-Length: 4\n", call.message().headers("h").toString());
    assertEquals(
        "Host: h\nA: 1\nTransfer-Encoding: chunked\n",
        call.chunked().message().headers("h").toString());
    assertEquals(
        "Host: own\n", Call.get("/").header("Host", "own").message().headers("h").toString());
  }

  @Test
  void aCallWithoutItsBodyHasNoHeadersOfTheBody() {
    Call call =
        Call.post("/").header("A", "1").header("Content-Encoding", "gzip").form("x", "y").chunked();
    assertEquals("Host: h\nA: 1\n", call.message().asGet("/end").headers("h").toString());
  }

  @Test
  void charactersThatDoNotFitInAByteAreNotSent() {
    Message latin1 = Call.get("/\u00e9").header("A", "\u00ff").message();
    String head = new String(latin1.head("h"), StandardCharsets.ISO_8859_1);
    assertEquals("GET /\u00e9 HTTP/1.1\r\nHost: h\r\nA: \u00ff\r\n\r\n", head);
    for (Call call :
        new Call[] {Call.get("/\u65e5\u672c"), Call.get("/").header("A", "5 \u20ac")}) {
      assertThrows(IllegalArgumentException.class, () -> call.message().head("h"));
    }
  }

  @Test
  void anEmptyBodyIsABody() {
    Service service =
        Chain.service(new Settings(), (Handler) (req, res) -> res.send("" + req.hasBody()));
    assertEquals("true", Call.post("/").body("").to(service).text());
    assertEquals("false", Call.post("/").to(service).text());
  }

  @Test
  void patchCallsHaveTheMethodPatch() {
    assertEquals("PATCH /x", Call.patch("/x").toString());
  }

  @Test
  void aFormIsSentAsPairs() {
    Call call = Call.post("/").form("name", "Ann & Bob").form("tag", "a").form("tag", "ü=1");
    assertEquals("name=Ann+%26+Bob&tag=a&tag=%C3%BC%3D1", text(call).replace("%20", "+"));
    assertEquals("application/x-www-form-urlencoded", call.message().header("Content-Type"));
  }

  @Test
  void aFormWithAFileIsMultipart() {
    byte[] content = "PNG".getBytes(StandardCharsets.US_ASCII);
    Call call = Call.post("/").form("title", "Sea").file("photo", "a\"b.png", "image/png", content);
    String type = "multipart/form-data; boundary=percolate-call";
    assertEquals(type, call.message().header("Content-Type"));
    assertEquals(
        """
        --percolate-call
        Content-Disposition: form-data; name="title"

        Sea
        --percolate-call
        Content-Disposition: form-data; name="photo"; filename="a%22b.png"
        Content-Type: image/png

        PNG
        --percolate-call--
        """,
        text(call).replace("\r\n", "\n"));
    Call doubtful = call.form("text", "--percolate-call--\n--percolate-call");
    assertEquals(type + "---", doubtful.message().header("Content-Type"));
  }

  private static String text(Call call) {
    return new String(call.message().body(), StandardCharsets.UTF_8);
  }
}

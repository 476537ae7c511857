package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import org.junit.jupiter.api.Test;

final class CallTest {

  @Test
  void aCallIsAnsweredInMemory() {
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
  void anEmptyBodyIsABodyAndNoneIsNone() {
    Service service =
        Chain.service(new Settings(), (Handler) (req, res) -> res.send("" + req.hasBody()));
    assertEquals("true", Call.post("/").body("").to(service).text());
    assertEquals("false", Call.post("/").to(service).text());
  }
}

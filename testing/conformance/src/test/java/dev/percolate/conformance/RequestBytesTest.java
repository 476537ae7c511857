package dev.percolate.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.JsonCodec;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RequestBytesTest {

  private static final String POST = "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";

  private static String bytes(String request) {
    byte[] bytes = RequestBytes.of(ScriptValues.map(JsonCodec.find().read(request)));
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Test
  void hostAndConnectionAreAddedAndNullRemovesAHeader() {
    assertEquals("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", bytes("{}"));
    assertEquals(
        "PUT /x HTTP/1.1\r\nConnection: close\r\nA: 1\r\nA: 2\r\n\r\n",
        bytes("{\"method\":\"PUT\",\"path\":\"/x\",\"headers\":{\"Host\":null,\"A\":[1,2]}}"));
  }

  @Test
  void aBodyGetsItsLengthUnlessOneIsGiven() {
    assertEquals(
        POST + "Content-Length: 6\r\n\r\nababab",
        bytes("{\"method\":\"POST\",\"body\":{\"repeat\":[\"ab\",3]}}"));
    assertEquals(
        POST + "content-length: 9\r\n\r\nab",
        bytes(
            "{\"method\":\"POST\",\"body\":\"abc\",\"headers\":{\"content-length\":9},\"abortAfter\":2}"));
  }

  @Test
  void aChunkedBodyIsOneChunk() {
    assertEquals(
        POST + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        bytes("{\"method\":\"POST\",\"body\":\"abc\",\"chunked\":true}"));
  }

  @Test
  void rawBytesAreSentUnchanged() {
    assertEquals("ü GET\n", bytes("{\"raw\":\"ü GET\\n\"}"));
  }
}

package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.ChunkReader;
import dev.percolate.core.Handler;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.fixtures.RawSocket;
import dev.percolate.fixtures.Watching;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bytes on the connection: pipelining, and unread bodies. */
@SuppressWarnings("StringConcatToTextBlock") // a text block would hide the CR LF
final class FramingTest extends ServerFixture {

  private final Watching watching = new Watching();
  private final List<String> entered = new CopyOnWriteArrayList<>();
  private Server server;

  @BeforeEach
  void serve() throws IOException {
    Settings settings = Settings.ofApplication().set("etag", false);
    Service service = Chain.service(settings, watching, this::route);
    server = engine().listen(service, options());
  }

  @AfterEach
  void close() {
    server.close();
  }

  private void route(Request req, Response res, Next next) throws Exception {
    entered.add(req.url());
    if (req.path().equals("/slow")) {
      Thread.sleep(50);
    } else if (req.path().equals("/read")) {
      req.read(new Answering(res, next));
      return;
    }
    res.type("text").end(req.url());
  }

  /** Responds with the number of bytes that it has read. */
  private record Answering(Response res, Next next, List<Integer> sizes) implements ChunkReader {

    Answering(Response res, Next next) {
      this(res, next, new ArrayList<>());
    }

    @Override
    public boolean chunk(ByteBuffer bytes) {
      return sizes.add(bytes.remaining());
    }

    @Override
    public void done(@Nullable Throwable failure) {
      if (failure != null) {
        next.fail(failure);
      } else {
        res.end("read " + sizes.stream().mapToInt(Integer::intValue).sum());
      }
    }
  }

  @Test
  void pipelinedRequestsAreAnsweredInOrder() throws Exception {
    try (RawSocket socket = new RawSocket(server)) {
      StringBuilder requests = new StringBuilder("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
      for (int i = 0; i < 50; i++) {
        requests.append("GET /").append(i).append(" HTTP/1.1\r\nHost: a\r\n\r\n");
      }
      socket.send(requests.toString());
      assertTrue(socket.readTo("\r\n\r\n/slow").startsWith("HTTP/1.1 200 OK\r\n"));
      for (int i = 0; i < 50; i++) {
        assertTrue(socket.readTo("\r\n\r\n/" + i).startsWith("HTTP/1.1 200 OK\r\n"));
      }
    }
    assertEquals(51, entered.size());
  }

  @Test
  void anUnreadBodyDoesNotStopTheNextRequest() throws Exception {
    try (RawSocket socket = new RawSocket(server)) {
      String body = "x".repeat(300_000);
      socket.send(
          "POST /one HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n"
              + body
              + "GET /two HTTP/1.1\r\nHost: a\r\n\r\n");
      socket.readTo("\r\n\r\n/one");
      socket.readTo("\r\n\r\n/two");
    }
    assertEquals(List.of("/one", "/two"), entered);
  }

  @Test
  void anUnreadBodyThatDoesNotArriveClosesTheConnection() throws Exception {
    try (RawSocket socket = new RawSocket(server)) {
      socket.send("POST /one HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\nabc");
      assertTrue(socket.readToClose().endsWith("\r\n\r\n/one"));
    }
  }

  @Test
  void aMalformedChunkIsNeverReadAsABody() throws Exception {
    try (RawSocket socket = new RawSocket(server)) {
      socket.send(
          "POST /read HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
              + "3\r\nabc\r\nzz\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n");
      String response = socket.readToClose();
      assertTrue(response.startsWith("HTTP/1.1 400 "), response);
      assertFalse(response.contains("read 3"), response);
    }
    server.close(); // waits until every handler has run
    assertEquals(List.of("/read"), entered);
  }

  @Test
  void aMalformedBodyAfterAnotherRequestIsRejectedInOrder() throws Exception {
    String chunked = " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n";
    try (RawSocket socket = new RawSocket(server)) {
      socket.send("POST /slow" + chunked + "0\r\n\r\nPOST /read" + chunked + "zz\r\n");
      socket.readTo("\r\n\r\n/slow");
      String response = socket.readToClose();
      assertTrue(response.startsWith("HTTP/1.1 400 "), response);
      assertTrue(response.contains("Connection: close\r\n"), response);
    }
  }

  @Test
  void anUnreadMalformedBodyClosesTheConnectionAfterTheResponse() throws Exception {
    String chunked = " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    try (RawSocket socket = new RawSocket(server)) {
      socket.send("POST /one" + chunked).readTo("\r\n\r\n/one");
      long sent = System.nanoTime();
      assertEquals("", socket.send("zz\r\nGET /two HTTP/1.1\r\nHost: a\r\n\r\n").readToClose());
      assertTrue(System.nanoTime() - sent < 900_000_000L, "waited for a body that cannot arrive");
    }
    server.close(); // waits until every handler has run
    assertEquals(List.of("/one"), entered);
  }

  @Test
  void continueIsSentOnlyWhenTheBodyIsRead() throws Exception {
    String expecting = " HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n";
    try (RawSocket socket = new RawSocket(server)) {
      socket.send("POST /read" + expecting);
      assertEquals("HTTP/1.1 100 Continue\r\n\r\n", socket.readTo("\r\n\r\n"));
      socket.send("abc").readTo("\r\n\r\nread 3");
    }
    try (RawSocket socket = new RawSocket(server)) {
      assertTrue(socket.send("POST /other" + expecting).readToClose().startsWith("HTTP/1.1 200 "));
    }
  }

  @Test
  void everyResponseHasADateUnlessTheHandlerSetOne() throws Exception {
    Handler dated = (req, res) -> res.set("Date", "then").end("x");
    try (Server other = serve(dated);
        RawSocket socket = new RawSocket(other);
        RawSocket usual = new RawSocket(server)) {
      String head = socket.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readTo("\r\n\r\nx");
      assertEquals(2, head.split("Date: ", -1).length, head);
      assertTrue(head.contains("Date: then\r\n"), head);
      String common = usual.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readTo("\r\n\r\n/");
      assertTrue(common.contains(" GMT\r\n"), common);
    }
  }

  @Test
  void noContinueIsSentAfterTheResponseHasBegun() throws Exception {
    Handler reading =
        (req, res) -> {
          res.write("one,");
          res.end("read " + req.inputStream().readAllBytes().length);
        };
    String head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n";
    try (Server other = serve(reading);
        RawSocket socket = new RawSocket(other)) {
      String begun = socket.send(head + "Expect: 100-continue\r\n\r\n").readTo("one,\r\n");
      assertTrue(begun.startsWith("HTTP/1.1 200 "), begun);
      String rest = socket.send("abc").readTo("\r\n0\r\n\r\n");
      assertEquals("6\r\nread 3\r\n0\r\n\r\n", rest);
    }
  }
}

package dev.percolate.http2;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.nio.NioEngine;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A server that speaks HTTP/2 in clear text, with a few paths. */
final class TestServer implements AutoCloseable {

  private final CountDownLatch released = new CountDownLatch(1);
  private final AtomicInteger entered = new AtomicInteger();
  private final Server server;

  private TestServer(UnaryOperator<ListenOptions> more) throws IOException {
    ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1").http2PriorKnowledge(true);
    server =
        new NioEngine().listen(Chain.service(new Settings(), this::route), more.apply(options));
  }

  static TestServer start() throws IOException {
    return start(options -> options);
  }

  static TestServer start(UnaryOperator<ListenOptions> more) throws IOException {
    return new TestServer(more);
  }

  int port() {
    return server.port();
  }

  Server server() {
    return server;
  }

  /** Sends the responses to waiting requests. */
  void release() {
    released.countDown();
  }

  /** Returns the number of requests that have reached a handler. */
  int entered() {
    return entered.get();
  }

  /** Waits until all connections are closed. */
  void awaitNoConnection() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (server.connections() > 0) {
      assertTrue(System.nanoTime() < end, "20 s");
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private void route(Request req, Response res, Next next) throws Exception {
    entered.incrementAndGet();
    switch (req.path()) {
      case "/never" -> {} // no response
      case "/length" -> res.send("" + req.inputStream().readAllBytes().length);
      case "/cookie" -> res.send(String.valueOf(req.get("Cookie")));
      case "/host" -> res.send(String.valueOf(req.get("Host")));
      case "/blanks" -> res.set("X-Blanks", " a b\t").send("hello");
      case "/large" -> res.end(new byte[4 << 20]);
      case "/method" -> res.send(req.method());
      case "/slow" -> {
        Thread.sleep(50);
        res.send("slow");
      }
      case "/wait" -> {
        boolean ignored = released.await(20, TimeUnit.SECONDS);
        res.send("waited");
      }
      default -> res.send("hello");
    }
  }

  @Override
  public void close() {
    server.close();
  }
}

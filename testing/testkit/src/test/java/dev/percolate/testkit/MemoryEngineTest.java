package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import dev.percolate.http.Headers;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class MemoryEngineTest {

  @Test
  void onlyTheEventLoopMustNotBlock() throws Exception {
    assertEquals("false", mayBlock(ThreadMode.EVENT_LOOP));
    assertEquals("true", mayBlock(ThreadMode.POOL));
    assertEquals("true", mayBlock(ThreadMode.ofThisJdk()));
  }

  @Test
  void aBodyThatDiffersFromContentLengthIsRejected() throws Exception {
    for (int length : new int[] {3, 5}) {
      Throwable error =
          rejection(
              Call.get("/"),
              exchange -> {
                exchange.start(200, Headers.of("Content-Length", "4"));
                exchange.end(ByteBuffer.allocate(length));
              });
      assertEquals("GET /: " + length + " bytes written for Content-Length 4", error.getMessage());
    }
  }

  @Test
  void aBodyThatIsNotAllowedIsRejected() throws Exception {
    Consumer<Exchange> body =
        exchange -> {
          exchange.start(200, new Headers());
          exchange.write(ByteBuffer.allocate(1), failure -> {});
        };
    assertEquals(
        "HEAD /: body written for HEAD with status 200",
        rejection(Call.head("/"), body).getMessage());
    Consumer<Exchange> noContent =
        exchange -> {
          exchange.start(204, new Headers());
          exchange.end(ByteBuffer.allocate(1));
        };
    assertEquals(
        "GET /: body written for GET with status 204",
        rejection(Call.get("/"), noContent).getMessage());
  }

  @Test
  void writesBeforeTheStartAndAfterTheEndAreRejected() throws Exception {
    Consumer<Exchange> early = exchange -> exchange.end(ByteBuffer.allocate(1));
    assertEquals(
        "GET /: body written before the start", rejection(Call.get("/"), early).getMessage());
    CompletableFuture<Throwable> late = new CompletableFuture<>();
    Reply reply =
        Call.get("/")
            .to(
                raw(
                    exchange -> {
                      exchange.start(200, new Headers());
                      exchange.end(ByteBuffer.allocate(1));
                      exchange.write(ByteBuffer.allocate(1), failure -> {});
                    },
                    late));
    assertTrue(reply.complete());
    assertEquals("GET /: body written after the end", late.get(10, TimeUnit.SECONDS).getMessage());
  }

  @Test
  void closingTheEngineClosesConnections() {
    MemoryEngine engine = new MemoryEngine();
    TestConnection connection =
        Call.get("/").open(engine.client(Chain.service(new Settings(), (req, res, next) -> {})));
    engine.close();
    assertTrue(connection.reply().aborted());
  }

  @Test
  void aClosedConnectionAcceptsNoFurtherCall() {
    try (MemoryEngine engine = new MemoryEngine()) {
      Service service =
          Chain.service(
              new Settings(),
              (Handler)
                  (req, res) -> {
                    res.set("Content-Length", "9").write("half");
                    throw new IllegalStateException("broken");
                  });
      TestConnection connection = Call.get("/").open(engine.client(service));
      assertTrue(connection.reply().aborted());
      assertEquals(0, connection.then(Call.get("/")).reply().status());
    }
  }

  private static String mayBlock(ThreadMode mode) throws Exception {
    try (MemoryEngine engine = new MemoryEngine(mode)) {
      CompletableFuture<Boolean> may = new CompletableFuture<>();
      Service service =
          raw(
              exchange -> {
                may.complete(exchange.mayBlock());
                exchange.start(200, new Headers());
                exchange.end(ByteBuffer.allocate(0));
              },
              new CompletableFuture<>());
      assertEquals(200, Call.get("/").to(engine.client(service)).status());
      return may.get(10, TimeUnit.SECONDS).toString();
    }
  }

  private static Throwable rejection(Call call, Consumer<Exchange> response) throws Exception {
    CompletableFuture<Throwable> rejected = new CompletableFuture<>();
    assertTrue(call.to(raw(response, rejected)).aborted());
    return assertInstanceOf(IllegalStateException.class, rejected.get(10, TimeUnit.SECONDS));
  }

  private static Service raw(Consumer<Exchange> response, CompletableFuture<Throwable> rejected) {
    return new Service() {
      @Override
      public void serve(Exchange exchange) {
        try {
          response.accept(exchange);
        } catch (IllegalStateException e) {
          rejected.complete(e);
        }
      }

      @Override
      public void onRejected(Exchange exchange, int status, Headers headers) {}
    };
  }
}

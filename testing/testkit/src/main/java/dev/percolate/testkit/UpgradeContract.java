package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.engine.Exchange;
import dev.percolate.engine.Service;
import dev.percolate.http.Headers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests upgraded connections. */
abstract class UpgradeContract extends ServiceTrial {

  private static final Headers ECHO = Headers.of("Upgrade", "echo");
  private static final Call ASKING =
      Call.get("/").header("Connection", "keep-alive, Upgrade").header("Upgrade", "echo");

  UpgradeContract(TestedEngine engine) {
    super(engine);
  }

  /** Sends all input back. */
  private record Echo(Exchange exchange, CompletableFuture<String> end) {

    static void on(Exchange exchange) {
      new Echo(exchange, new CompletableFuture<>()).goOn();
    }

    void goOn() {
      exchange.read(this::took);
    }

    private void took(@Nullable ByteBuffer piece, @Nullable Throwable failure) {
      if (piece == null) {
        end.complete(failure == null ? "the end" : failure.getClass().getSimpleName());
        exchange.end(ByteBuffer.allocate(0));
      } else {
        exchange.write(piece, any -> exchange.executor().execute(this::goOn));
      }
    }
  }

  /** Upgrades each request; skips the test if the engine cannot. */
  private Client handsOver(Consumer<Exchange> taker) throws Exception {
    assumeTrue(engine.upgrades());
    return serving(exchange -> exchange.upgrade(ECHO, () -> taker.accept(exchange)));
  }

  private Client serving(Consumer<Exchange> serves) throws Exception {
    return client(
        new Service() {
          @Override
          public void serve(Exchange exchange) {
            serves.accept(exchange);
          }

          @Override
          public void onRejected(Exchange exchange, int status, Headers headers) {}
        });
  }

  private static void answer(Exchange exchange, String text) {
    exchange.start(200, new Headers());
    exchange.end(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void anUpgradedConnectionCarriesBytesBothWays() throws Exception {
    TestConnection connection = open(handsOver(Echo::on), ASKING);
    Reply head = connection.head();
    assertEquals(101, head.status());
    assertEquals("echo", head.header("Upgrade"));
    assertTrue("Upgrade".equalsIgnoreCase(head.header("Connection")), head::toString);
    connection
        .send("one,")
        .await("one,")
        .send("two\r\n")
        .await("two\r\n")
        .send("\0\1")
        .await("\0\1");
  }

  @Test
  void bytesRightAfterTheHeadAreNotLost() throws Exception {
    TestConnection connection = open(handsOver(Echo::on), ASKING);
    connection
        .send("GET /not-a-request HTTP/1.1\r\n\r\n")
        .await("GET /not-a-request HTTP/1.1\r\n\r\n");
  }

  @Test
  void bytesBeforeTheUpgradeAreKept() throws Exception {
    assumeTrue(engine.upgrades());
    CompletableFuture<Exchange> asked = new CompletableFuture<>();
    TestConnection connection = open(serving(asked::complete), ASKING);
    Exchange exchange = asked.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    connection.send("early,").send("bird");
    long ignored = still(connection::accepted);
    exchange.executor().execute(() -> exchange.upgrade(ECHO, () -> Echo.on(exchange)));
    connection.await("early,bird");
  }

  @Test
  void theEndOfTheInputDoesNotEndTheExchange() throws Exception {
    ByteBuffer one = StandardCharsets.US_ASCII.encode("one,");
    ByteBuffer two = StandardCharsets.US_ASCII.encode("two");
    TestConnection connection =
        open(
            handsOver(
                exchange ->
                    readAll(exchange, any -> exchange.write(one, more -> exchange.end(two)))),
            ASKING);
    connection.head();
    Reply reply = connection.send("x").finish().reply();
    assertEquals("one,two", reply.text());
    assertTrue(reply.complete(), reply::toString);
  }

  @Test
  void abortingEndsReadingAndTheExchange() throws Exception {
    CompletableFuture<Exchange> taken = new CompletableFuture<>();
    CompletableFuture<String> read = new CompletableFuture<>();
    CompletableFuture<Void> over = new CompletableFuture<>();
    Client client =
        handsOver(
            exchange -> {
              exchange.onEnd(failure -> over.complete(null));
              readAll(exchange, read::complete);
              taken.complete(exchange);
            });
    TestConnection connection = open(client, ASKING);
    connection.send("x");
    taken.get(DEADLINE_SECONDS, TimeUnit.SECONDS).abort();
    assertNotEquals("the end", read.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
    over.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    connection.reply();
  }

  @Test
  void anUpgradeRunsEvenIfTheClientHasGone() throws Exception {
    assumeTrue(engine.upgrades() && engine.noticesDisconnects());
    CompletableFuture<Exchange> asked = new CompletableFuture<>();
    CompletableFuture<Void> gone = new CompletableFuture<>();
    Client client =
        serving(
            exchange -> {
              exchange.onEnd(failure -> gone.complete(null));
              asked.complete(exchange);
            });
    TestConnection connection = open(client, ASKING);
    Exchange exchange = asked.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    connection.disconnect();
    gone.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    CompletableFuture<String> read = new CompletableFuture<>();
    CompletableFuture<@Nullable Throwable> written = new CompletableFuture<>();
    exchange
        .executor()
        .execute(
            () ->
                exchange.upgrade(
                    ECHO,
                    () -> {
                      readAll(exchange, read::complete);
                      exchange.write(ByteBuffer.allocate(1), written::complete);
                    }));
    String how = read.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    assertTrue(List.of("the end", "ClientDisconnectedException").contains(how), how);
    assertNotNull(written.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void writingToAClientThatHasGoneFails() throws Exception {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    ByteBuffer piece = ByteBuffer.allocate(64 << 10);
    Client client =
        handsOver(exchange -> flood(exchange, piece, new AtomicLong(), failure::complete));
    TestConnection connection = open(client, ASKING);
    connection.head();
    connection.pause();
    connection.disconnect();
    Throwable told = failure.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    assertTrue(told instanceof IOException, told::toString);
  }

  @Test
  void bytesFromAnotherThreadAreSentInOrder() throws Exception {
    Consumer<Exchange> writer =
        exchange -> {
          for (int i = 0; i < 1000; i++) {
            exchange.write(StandardCharsets.US_ASCII.encode(i + ","), any -> {});
          }
          exchange.end(StandardCharsets.US_ASCII.encode("end"));
        };
    TestConnection connection =
        open(handsOver(exchange -> new Thread(() -> writer.accept(exchange)).start()), ASKING);
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      expected.append(i).append(',');
    }
    assertEquals(expected.append("end").toString(), connection.reply().text());
  }

  @Test
  void theEndClosesTheConnectionAfterTheLastBytes() throws Exception {
    TestConnection connection =
        open(handsOver(exchange -> exchange.end(ByteBuffer.wrap(new byte[] {'b', 'y'}))), ASKING);
    Reply reply = connection.reply();
    assertEquals("by", reply.text());
    assertTrue(reply.complete(), reply::toString);
  }

  @Test
  void aClientThatHangsUpEndsReadingAndTheExchange() throws Exception {
    CompletableFuture<String> read = new CompletableFuture<>();
    CompletableFuture<Void> over = new CompletableFuture<>();
    Client client =
        handsOver(
            exchange -> {
              exchange.onEnd(failure -> over.complete(null));
              new Echo(exchange, read).goOn();
            });
    open(client, ASKING).send("x").await("x").disconnect();
    String how = read.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    assertTrue(List.of("the end", "ClientDisconnectedException").contains(how), how);
    over.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void manyBytesGoBothWaysInOrder() throws Exception {
    TestConnection connection = open(handsOver(Echo::on), ASKING);
    byte[] pattern = pattern(1_000_000);
    for (int i = 0; i < pattern.length; i += 50_000) {
      connection.send(Arrays.copyOfRange(pattern, i, i + 50_000));
    }
    connection.send("[last]").await("[last]");
    assertEquals(
        new String(pattern, StandardCharsets.US_ASCII) + "[last]", connection.head().text());
  }

  @Test
  void writesWaitForAClientThatDoesNotRead() throws Exception {
    AtomicLong taken = new AtomicLong();
    TestConnection connection =
        open(
            handsOver(exchange -> flood(exchange, ByteBuffer.allocate(64 << 10), taken, any -> {})),
            ASKING);
    connection.head();
    connection.pause();
    long before = taken.get();
    long then = still(taken::get);
    long held = then - before;
    assertTrue(held <= engine.maxHeld(), held + " bytes written, but the client does not read");
    connection.resume();
    await("writing continues", () -> taken.get() > then);
  }

  @Test
  void inputWaitsUntilItIsRead() throws Exception {
    CompletableFuture<Exchange> taken = new CompletableFuture<>();
    TestConnection connection = open(handsOver(taken::complete), ASKING);
    connection.head();
    byte[] piece = new byte[64 << 10];
    for (int i = 0; i < 1_000; i++) {
      connection.send(piece);
    }
    long held = still(connection::accepted);
    assertTrue(held <= engine.maxHeld(), held + " bytes accepted, but the server does not read");
    taken.get(DEADLINE_SECONDS, TimeUnit.SECONDS).abort();
  }

  @Test
  void anUpgradeRunsAfterTheHandlerHasReturned() throws Exception {
    assumeTrue(engine.upgrades());
    List<String> events = new CopyOnWriteArrayList<>();
    Client client =
        serving(
            exchange -> {
              exchange.upgrade(
                  ECHO,
                  () -> {
                    events.add("taken on its turn " + exchange.executor().isCurrent());
                    exchange.end(ByteBuffer.allocate(0));
                  });
              events.add("step over");
            });
    assertEquals(101, open(client, ASKING).reply().status());
    assertEquals(List.of("step over", "taken on its turn true"), events);
  }

  @Test
  void requestsThatDoNotAskForAnUpgradeAreNotUpgradable() throws Exception {
    Client client =
        serving(
            exchange ->
                exchange.read((piece, any) -> answer(exchange, "" + exchange.upgradable())));
    assertEquals("false", Call.get("/").to(client).text());
    Call withBody = Call.post("/").header("Connection", "Upgrade").header("Upgrade", "echo");
    assertEquals("false", withBody.body("x").to(client).text());
  }

  @Test
  void upgradingWithoutBeingAskedThrows() throws Exception {
    Client client =
        serving(
            exchange -> {
              assertFalse(exchange.upgradable());
              assertThrows(IllegalStateException.class, () -> exchange.upgrade(ECHO, () -> {}));
              answer(exchange, "told");
            });
    assertEquals("told", Call.get("/").to(client).text());
  }

  @Test
  void anUpgradeRequestMayGetANormalResponse() throws Exception {
    Client client = serving(exchange -> answer(exchange, "no"));
    TestConnection connection = open(client, ASKING);
    assertEquals("no", connection.reply().text());
    assertEquals("no", connection.then(Call.get("/")).reply().text());
  }

  /** Reads all input, then passes on how it ended. */
  private static void readAll(Exchange exchange, Consumer<String> ended) {
    exchange.read(
        (piece, failure) -> {
          if (piece == null) {
            ended.accept(failure == null ? "the end" : failure.getClass().getSimpleName());
          } else {
            exchange.executor().execute(() -> readAll(exchange, ended));
          }
        });
  }

  private static void flood(
      Exchange exchange, ByteBuffer piece, AtomicLong taken, Consumer<Throwable> failed) {
    exchange.write(
        piece.duplicate(),
        failure -> {
          if (failure == null) {
            taken.addAndGet(piece.remaining());
            exchange.executor().execute(() -> flood(exchange, piece, taken, failed));
          } else {
            exchange.abort();
            failed.accept(failure);
          }
        });
  }
}

package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Response;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.http.HttpError;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests responses that several threads use at the same time. */
abstract class RaceContract extends ServiceTrial {

  private static final int TRIALS = 300;
  private static final int GIVEN_UP = 60;
  private static final int WRITERS = 4;

  RaceContract(TestedEngine engine) {
    super(engine);
  }

  @Test
  void ofTwoSimultaneousResponsesOneWinsAndNoBytesMix() throws Exception {
    playRaces((res, text) -> res.end(text), (res, text) -> res.end(text));
  }

  @Test
  void ofAWholeAndAChunkedResponseOneWinsAndNoBytesMix() throws Exception {
    playRaces(
        (res, text) -> res.status(201).send(text),
        (res, text) -> {
          res.write(text.substring(1));
          res.end(text.substring(0, 1));
        });
  }

  @Test
  void headersSetAfterGivingUpAffectNoResponse() throws Exception {
    Handler setting =
        (req, res) -> {
          AtomicBoolean over = new AtomicBoolean();
          elsewhere(
              () -> {
                Thread.sleep(2);
                over.set(req.fail(new HttpError(504, "given up")));
              });
          try {
            for (int n = 0; !over.get(); n++) {
              res.set("Content-Length", "" + n % 7).set("X-" + n % 40, "x").remove("X-" + n % 9);
            }
          } catch (IllegalStateException e) {
            // the other response has started
          }
        };
    TestConnection connection = open(client(setting), Call.get("/"));
    for (int i = 1; i <= GIVEN_UP; i++) {
      Reply reply = connection.reply();
      assertTrue(reply.complete(), reply::toString);
      assertEquals(504, reply.status()); // after a 503, some containers close the connection
      assertEquals(List.of("" + reply.bytes().length), reply.all("Content-Length"));
      assertTrue(reply.text().contains("given up"), reply::toString);
      connection = i < GIVEN_UP ? connection.then(Call.get("/")) : connection;
    }
  }

  @Test
  void chunksOfSeveralThreadsArriveWhole() throws Exception {
    int pieces = 200;
    Handler broadcasting =
        (req, res) -> {
          res.flushHeaders();
          CountDownLatch done = new CountDownLatch(WRITERS);
          for (int i = 0; i < WRITERS; i++) {
            String piece = String.valueOf((char) ('a' + i)).repeat(999) + "\n";
            elsewhere(
                () -> {
                  for (int n = 0; n < pieces; n++) {
                    res.write(piece);
                  }
                  done.countDown();
                });
          }
          elsewhere(
              () -> {
                assertTrue(done.await(DEADLINE_SECONDS, TimeUnit.SECONDS));
                res.end("end");
              });
        };
    Reply reply = Call.get("/").to(client(broadcasting));
    assertTrue(reply.complete(), () -> reply.bytes().length + " bytes");
    List<String> lines = reply.text().lines().toList();
    assertEquals(WRITERS * pieces + 1, lines.size());
    for (String line : lines.subList(0, WRITERS * pieces)) {
      assertEquals(line.substring(0, 1).repeat(999), line);
    }
  }

  @Test
  void allWritersGetAnErrorWhenTheClientDisconnects() throws Exception {
    assumeTrue(blocks(), "needs writers that may wait");
    byte[] piece = pattern(64 << 10);
    AtomicInteger written = new AtomicInteger();
    List<IOException> failures = new CopyOnWriteArrayList<>();
    Handler broadcasting =
        (req, res) ->
            readText(
                req,
                (text, failure) -> {
                  res.flushHeaders();
                  for (int i = 0; i < WRITERS; i++) {
                    elsewhere(
                        () -> {
                          try {
                            while (true) {
                              res.write(piece);
                              written.incrementAndGet();
                            }
                          } catch (IOException e) {
                            failures.add(e);
                          }
                        });
                  }
                });
    TestConnection connection =
        open(client(broadcasting), Call.post("/").chunked()).pause().finish();
    still(written::get);
    connection.disconnect();
    await("all writers get an error", () -> failures.size() == WRITERS);
    failures.forEach(
        failure -> assertTrue(failure instanceof ClientDisconnectedException, failure::toString));
  }

  @Test
  void theEndComesAfterAllBytesWrittenBefore() throws Exception {
    AtomicReference<Throwable> failed = new AtomicReference<>();
    Handler handler =
        (req, res) -> {
          res.write("one,");
          CountDownLatch written = new CountDownLatch(1);
          elsewhere(
              () -> {
                res.write("two,");
                written.countDown();
              });
          if (!written.await(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
            failed.set(new AssertionError("not written"));
          }
          res.end("three");
        };
    Client client = client(handler);
    for (int i = 0; i < 20; i++) {
      Reply reply = Call.get("/").to(client);
      assertEquals("one,two,three", reply.text());
      assertTrue(reply.complete());
    }
    assertEquals(null, failed.get());
  }

  private void playRaces(Answering one, Answering other) throws Exception {
    String a = "a".repeat(100);
    String b = "b".repeat(200);
    AtomicInteger rejected = new AtomicInteger();
    AtomicInteger tried = new AtomicInteger();
    Handler racing =
        (req, res) -> {
          CyclicBarrier barrier = new CyclicBarrier(2);
          elsewhere(() -> race(barrier, () -> one.answer(res, a), rejected, tried));
          elsewhere(() -> race(barrier, () -> other.answer(res, b), rejected, tried));
        };
    TestConnection connection = open(client(racing), Call.get("/"));
    for (int i = 1; i <= TRIALS; i++) {
      Reply reply = connection.reply();
      assertTrue(reply.complete(), reply::toString);
      assertTrue(reply.text().equals(a) || reply.text().equals(b), reply::toString);
      int both = 2 * i;
      await("both have tried", () -> tried.get() == both);
      assertEquals(i, rejected.get());
      connection = i < TRIALS ? connection.then(Call.get("/")) : connection;
    }
  }

  private static void race(
      CyclicBarrier barrier, Action response, AtomicInteger rejected, AtomicInteger tried)
      throws Exception {
    barrier.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
    try {
      response.run();
    } catch (IllegalStateException e) {
      rejected.incrementAndGet();
    } finally {
      tried.incrementAndGet();
    }
  }

  /** Sends a text as the response. */
  @FunctionalInterface
  private interface Answering {

    void answer(Response res, String text) throws Exception;
  }
}

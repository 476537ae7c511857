package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.http.Headers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Several threads respond to one request: {@link Interleavings} of them. */
// Interleavings depend on the code, not on the JDK.
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
class ResponseCommitLincheckTest {

  private static final int HIGH_WATER = 64 << 10;
  private static final Request REQUEST = new FakeExchange().request();
  private static final Settings PRODUCTION = new Settings().set("env", "production");

  /** A response, the exchange that records it, and the number of rejected threads. */
  private static final class Given {

    final FakeExchange exchange = new FakeExchange();
    final AppState appState = new AppState(PRODUCTION);
    final ResponseCommit answer = new ResponseCommit(exchange, appState, REQUEST.responseTimeout());
    final AtomicInteger rejected = new AtomicInteger();

    /** Starts the response in chunks. */
    Given started() {
      answer.claim();
      answer.start(200, new Headers(), true, false, 0);
      return this;
    }

    void answer(int bytes) {
      answer.claim();
      answer.start(200, new Headers(), true, true, 0);
      end(bytes);
    }

    void end(int bytes) {
      answer.end(ByteBuffer.allocate(bytes));
    }

    void write(int bytes) {
      try {
        answer.write(ByteBuffer.allocate(bytes));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Counts an action that is rejected because another was first. */
    Runnable refusable(Runnable step) {
      return () -> {
        try {
          step.run();
        } catch (IllegalStateException second) {
          rejected.incrementAndGet();
        }
      };
    }

    /** Checks what was sent, and the number of rejected actions. */
    void check(int rejections, int bytes, String... calls) {
      assertEquals(rejections, rejected.get());
      assertEquals(rejections, appState.counters().duplicateResponses());
      assertEquals(List.of(calls), exchange.calls);
      assertEquals(bytes, exchange.bytes().length);
      assertTrue(answer.ended());
    }
  }

  @Test
  void oneOfThreeThreadsResponds() {
    Interleavings.check(
        () -> {
          Given given = new Given();
          Runnable part = given.refusable(() -> given.answer(1));
          Interleavings.inParallel(part, part, part);
          given.check(2, 1, "start", "end");
        });
  }

  @Test
  void aReleasedClaimIsHeldByOneThreadAtATime() {
    Interleavings.check(
        () -> {
          Given given = new Given();
          AtomicInteger holders = new AtomicInteger();
          Runnable part =
              given.refusable(
                  () -> {
                    given.answer.claim();
                    assertEquals(1, holders.incrementAndGet());
                    holders.decrementAndGet();
                    given.answer.release();
                  });
          Interleavings.inParallel(part, part);
          given.answer(1);
          given.check(given.rejected.get(), 1, "start", "end");
        });
  }

  @Test
  void aResponseInChunksEndsOnce() {
    Interleavings.check(
        () -> {
          Given given = new Given().started();
          Interleavings.inParallel(
              given.refusable(() -> given.end(1)),
              given.refusable(() -> given.end(1)),
              given.refusable(given.answer::claim));
          given.check(2, 1, "start", "end");
        });
  }

  @Test
  void noChunkIsSentAfterTheEnd() {
    Interleavings.check(
        () -> {
          Given given = new Given().started();
          Interleavings.inParallel(given.refusable(() -> given.write(1)), () -> given.end(1));
          if (given.rejected.get() == 0) {
            given.check(0, 2, "start", "write", "end");
          } else {
            given.check(1, 1, "start", "end");
          }
        });
  }

  @Test
  void nothingIsSentBetweenTheHeadAndTheBodyOfAWholeResponse() {
    Interleavings.check(
        () -> {
          Given given = new Given();
          Interleavings.inParallel(
              () -> given.answer(2),
              given.refusable(() -> given.end(1)),
              given.refusable(() -> given.write(1)));
          given.check(2, 2, "start", "end");
        });
  }

  @Test
  void waitingWritersContinueWhenTheirBytesAreSent() {
    Interleavings.check(() -> assertEquals(0, failedWriters(null)));
  }

  @Test
  void waitingWritersFailWhenTheClientDisconnects() {
    Interleavings.check(() -> assertEquals(2, failedWriters(new IOException("reset"))));
  }

  /** Two threads write more than the client reads, while a third reports the result. */
  private static int failedWriters(@Nullable Throwable fate) {
    Given given = new Given().started();
    given.exchange.slow = true;
    AtomicInteger failed = new AtomicInteger();
    Runnable writer =
        () -> {
          try {
            given.write(HIGH_WATER + 1);
          } catch (UncheckedIOException gone) {
            failed.incrementAndGet();
          }
        };
    Interleavings.inParallel(
        writer,
        writer,
        () -> {
          while (given.exchange.waiting() < 2) {
            Thread.onSpinWait();
          }
          given.exchange.drain(fate);
        });
    return failed.get();
  }

  @Test
  void otherThreadsCannotChangeTheHeadAfterAClaim() {
    Interleavings.check(
        () -> {
          Given given = new Given();
          Response res = new Response(REQUEST, given.answer);
          AtomicReference<List<?>> claimed = new AtomicReference<>();
          Interleavings.inParallel(
              given.refusable(() -> res.status(201).set("X-Other", "1")),
              () -> {
                res.answer().claim();
                claimed.set(head(res));
              });
          assertEquals(claimed.get(), head(res));
        });
  }

  private static List<?> head(Response res) {
    return Arrays.asList(res.status(), res.get("X-Other"));
  }
}

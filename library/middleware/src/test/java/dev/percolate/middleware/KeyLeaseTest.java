package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.AsyncHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.store.IdempotencyStore;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests keys of slow requests, and requests that wait for them. */
final class KeyLeaseTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Four renewals take this time. */
  private static final Duration BRIEF = Duration.ofMillis(80);

  private final CountDownLatch fourRenewals = new CountDownLatch(4);
  private final AtomicInteger done = new AtomicInteger();

  /** The clock of the store, which stands still unless a test changes it. */
  private final AtomicLong nanos = new AtomicLong();

  private final IdempotencyStore responses = new MemoryIdempotency(10, nanos::get);

  /** Counts renewals; the first one fails. */
  private final IdempotencyStore counting =
      new IdempotencyStore() {
        @Override
        public @Nullable Entry acquire(String key, String token, String print, Duration lease)
            throws IOException {
          assertTrue(lease.compareTo(Duration.ofSeconds(10)) < 0);
          return responses.acquire(key, token, print, lease);
        }

        @Override
        public boolean renew(String key, String token, Duration lease) throws IOException {
          fourRenewals.countDown();
          if (fourRenewals.getCount() == 3) {
            throw new IOException("away for a moment");
          }
          return responses.renew(key, token, lease);
        }

        @Override
        public boolean save(String key, String token, String response, Duration life)
            throws IOException {
          return responses.save(key, token, response, life);
        }

        @Override
        public void release(String key, String token) throws IOException {
          responses.release(key, token);
        }
      };

  private final Idempotency once = Idempotency.of(counting).anonymous();

  private static Call post() {
    return Call.post("/").header("Idempotency-Key", "1");
  }

  @Test
  void theServerRenewsTheKeyOfALongRequest() throws Exception {
    Idempotency brief = once.briefLease(BRIEF).waitTimeout(Duration.ZERO);
    Handler slow =
        (req, res) -> {
          assertTrue(fourRenewals.await(60, TimeUnit.SECONDS));
          Reply meanwhile = Played.reply(post(), brief, (Handler) (q, s) -> s.send("twice"));
          res.send(meanwhile.status() + " " + done.incrementAndGet());
        };
    assertEquals("409 1", Played.reply(post(), brief, slow).text());
    assertEquals("409 1", Played.reply(post(), brief, slow).text());
  }

  @Test
  void aResponseIsStoredIfTheStoreWasDownForLongerThanTheLease() throws Exception {
    AtomicInteger offers = new AtomicInteger();
    CountDownLatch stored = new CountDownLatch(1);
    IdempotencyStore down =
        new IdempotencyStore() {
          @Override
          public @Nullable Entry acquire(String key, String token, String print, Duration lease)
              throws IOException {
            return responses.acquire(key, token, print, lease);
          }

          @Override
          public boolean renew(String key, String token, Duration lease) throws IOException {
            return responses.renew(key, token, lease);
          }

          @Override
          public boolean save(String key, String token, String response, Duration life)
              throws IOException {
            if (offers.incrementAndGet() == 1) {
              nanos.addAndGet(2 * BRIEF.toNanos()); // the lease ends meanwhile
              throw new IOException("down");
            }
            boolean saved = responses.save(key, token, response, life);
            if (saved) {
              stored.countDown();
            }
            return saved;
          }

          @Override
          public void release(String key, String token) throws IOException {
            responses.release(key, token);
          }
        };
    Idempotency brief = Idempotency.of(down).anonymous().briefLease(BRIEF);
    Handler work = (req, res) -> res.send("done " + done.incrementAndGet());
    assertEquals("done 1", Played.reply(post(), brief, work).text());
    assertTrue(stored.await(20, TimeUnit.SECONDS));
    assertEquals("done 1", Played.reply(post(), brief, work).text());
  }

  @Test
  void aResponseIsOfferedAgainIfTheStoreFails() {
    AtomicInteger renewals = new AtomicInteger();
    AtomicInteger offers = new AtomicInteger();
    IdempotencyStore failing =
        new IdempotencyStore() {
          @Override
          public @Nullable Entry acquire(String key, String token, String print, Duration lease)
              throws IOException {
            return responses.acquire(key, token, print, lease);
          }

          @Override
          public boolean renew(String key, String token, Duration lease) throws IOException {
            if (renewals.incrementAndGet() == 1) {
              throw new StackOverflowError();
            }
            return responses.renew(key, token, lease);
          }

          @Override
          public boolean save(String key, String token, String response, Duration life)
              throws IOException {
            if (offers.incrementAndGet() < 3) {
              throw new IllegalStateException("away for a moment");
            }
            return responses.save(key, token, response, life);
          }

          @Override
          public void release(String key, String token) throws IOException {
            responses.release(key, token);
          }
        };
    Idempotency patient =
        Idempotency.of(failing).anonymous().briefLease(BRIEF).waitTimeout(Duration.ofSeconds(60));
    Handler work = (req, res) -> res.send("done " + done.incrementAndGet());
    assertEquals("done 1", Played.reply(post(), patient, work).text());
    assertEquals("done 1", Played.reply(post(), patient, work).text());
    assertEquals(3, offers.get());
  }

  @Test
  void aDuplicateRequestWaitsForTheResponse() throws Exception {
    CompletableFuture<String> work = new CompletableFuture<>();
    CountDownLatch running = new CountDownLatch(1);
    Middleware first =
        Middleware.async(
            (AsyncHandler)
                (req, res) -> {
                  running.countDown();
                  return work.thenAccept(text -> res.send(text + done.incrementAndGet()));
                });
    Idempotency patient = once.waitTimeout(Duration.ofSeconds(30));
    CompletableFuture<Reply> one = start(patient, first);
    assertTrue(running.await(60, TimeUnit.SECONDS));
    CompletableFuture<Reply> two = start(patient, first);
    Thread.sleep(50);
    assertFalse(two.isDone());
    assertTrue(work.complete("done "));
    assertEquals("done 1", one.get(60, TimeUnit.SECONDS).text());
    Reply second = two.get(60, TimeUnit.SECONDS);
    assertEquals("done 1", second.text());
    assertEquals("true", second.header("Idempotency-Replayed"));
  }

  @Test
  void aWaitingRequestRunsWhenTheKeyOfADeadServerExpires() throws Exception {
    assertEquals(null, responses.acquire(key(), "dead", print(), SECOND));
    Handler runs = (req, res) -> res.send("run " + done.incrementAndGet());
    Idempotency patient = once.waitTimeout(Duration.ofSeconds(30));
    CompletableFuture<Reply> reply = start(patient, runs);
    Thread.sleep(50);
    assertFalse(reply.isDone());
    nanos.addAndGet(SECOND.toNanos());
    assertEquals("run 1", reply.get(60, TimeUnit.SECONDS).text());
  }

  @Test
  void aRequestGets409AfterItsPatience() throws Exception {
    assertEquals(null, responses.acquire(key(), "other", print(), Duration.ofMinutes(5)));
    long start = System.nanoTime();
    Reply reply =
        Played.reply(post(), once.waitTimeout(BRIEF), (Handler) (req, res) -> res.send("twice"));
    assertEquals(409, reply.status());
    assertEquals("1", reply.header("Retry-After"));
    assertTrue(System.nanoTime() - start >= BRIEF.toNanos());
  }

  /** Sends a request from a thread of its own. */
  private static CompletableFuture<Reply> start(Middleware... steps) {
    return CompletableFuture.supplyAsync(
        () -> Played.reply(post(), steps), task -> new Thread(task, "client").start());
  }

  /** The key and fingerprint of {@link #post}, as the middleware computes them. */
  private String key() {
    return seen(true);
  }

  private String print() {
    return seen(false);
  }

  private String seen(boolean key) {
    String[] seen = new String[2];
    IdempotencyStore spy =
        new IdempotencyStore() {
          @Override
          public Entry acquire(String scoped, String token, String print, Duration lease)
              throws IOException {
            seen[0] = scoped;
            seen[1] = print;
            throw new IOException("seen");
          }

          @Override
          public boolean renew(String scoped, String token, Duration lease) {
            return false;
          }

          @Override
          public boolean save(String scoped, String token, String response, Duration life) {
            return false;
          }

          @Override
          public void release(String scoped, String token) {}
        };
    Reply ignored =
        Played.reply(post(), Idempotency.of(spy).anonymous(), (Handler) (req, res) -> res.send(""));
    return seen[key ? 0 : 1];
  }
}

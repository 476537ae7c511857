package dev.percolate.reliability;

import static java.util.Objects.requireNonNull;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.logger.RequestLogger;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Sends requests through a chain with random failures: its handlers throw, call next twice, respond
 * twice, respond late or never, and clients disconnect. Checks that each request has one log line,
 * and one response or was given up. {@code measure/reliability/run G11} starts it.
 *
 * <p>Arguments: the number of requests, and the seed.
 */
@SuppressWarnings("FutureReturnValueIgnored") // an exception lost that way shows as a hung request
final class RandomFaults {

  private static final int STEPS = 6;
  private static final int UNDER_WAY = 2_000;
  private static final long LONGEST_SECONDS = 5;
  private static final Logger LOG = Logger.getLogger("dev.percolate");
  private static final Key<SplittableRandom> RANDOM = Key.of("random", SplittableRandom.class);
  private static final Key<FragileExchange> CLIENT = Key.of("client", FragileExchange.class);
  private static final ThreadLocal<SplittableRandom> SEEDED = new ThreadLocal<>();
  private static final ThreadLocal<FragileExchange> SERVED = new ThreadLocal<>();

  private final ExecutorService pool = Executors.newFixedThreadPool(8);
  private final ScheduledExecutorService later = Executors.newScheduledThreadPool(2);
  private final LongAdder lines = new LongAdder();
  private final LongAdder answered = new LongAdder();
  private final LongAdder unsound = new LongAdder();
  private final Semaphore places = new Semaphore(UNDER_WAY);
  private final App app = new App();

  private RandomFaults() {
    app.use(RequestLogger.of("tiny").to((String line) -> lines.increment()));
    Middleware first =
        (req, res, next) -> {
          req.attr(RANDOM, SEEDED.get());
          req.attr(CLIENT, SERVED.get());
          next.run();
        };
    app.use(first);
    for (int i = 0; i < STEPS; i++) {
      app.use((Middleware) this::step);
    }
    app.use(
        (error, req, res, next) -> {
          if (draw(req, 3) == 0) {
            throw new IllegalStateException("in an error handler");
          }
          next.fail(error);
        });
  }

  public static void main(String[] args) throws InterruptedException {
    LOG.setLevel(Level.OFF);
    int requests = args.length > 0 ? Integer.parseInt(args[0]) : 20_000;
    long seed = args.length > 1 ? Long.parseLong(args[1]) : 1;
    boolean passes = new RandomFaults().run(requests, seed);
    System.exit(passes ? 0 : 1);
  }

  private boolean run(int requests, long seed) throws InterruptedException {
    SplittableRandom source = new SplittableRandom(seed);
    int hung = 0;
    for (int i = 0; i < requests && hung == 0; i++) {
      if (places.tryAcquire(LONGEST_SECONDS, TimeUnit.SECONDS)) {
        send(source.split());
      } else {
        hung = UNDER_WAY;
      }
    }
    if (hung == 0 && !places.tryAcquire(UNDER_WAY, LONGEST_SECONDS, TimeUnit.SECONDS)) {
      hung = UNDER_WAY - places.availablePermits();
    }
    pool.shutdown();
    later.shutdown();
    boolean ended = pool.awaitTermination(LONGEST_SECONDS, TimeUnit.SECONDS);
    System.out.printf(
        "%d requests, seed %d: %d with a response, %d given up, %d hung, %d unsound, %d log lines,"
            + " %d second responses and %d second calls of next rejected%n",
        requests,
        seed,
        answered.sum(),
        requests - hung - answered.sum(),
        hung,
        unsound.sum(),
        lines.sum(),
        app.counters().duplicateResponses(),
        app.counters().duplicateNextCalls());
    return ended && hung == 0 && unsound.sum() == 0 && lines.sum() == requests;
  }

  private void send(SplittableRandom random) {
    FragileExchange[] self = new FragileExchange[1];
    FragileExchange exchange = new FragileExchange(pool, () -> over(self[0]));
    self[0] = exchange;
    exchange
        .executor()
        .execute(
            () -> {
              SEEDED.set(random);
              SERVED.set(exchange);
              app.serve(exchange);
            });
  }

  private void over(FragileExchange exchange) {
    // A second response is sent soon; only after that time it is known that there was none.
    later.schedule(
        () -> {
          if (!exchange.isSound()) {
            unsound.increment();
          } else if (exchange.isAnswered()) {
            answered.increment();
          }
          places.release();
        },
        5,
        TimeUnit.MILLISECONDS);
  }

  private static int draw(Request req, int bound) {
    SplittableRandom random = requireNonNull(req.attr(RANDOM));
    synchronized (random) {
      return random.nextInt(bound);
    }
  }

  private static FragileExchange client(Request req) {
    return requireNonNull(req.attr(CLIENT));
  }

  /** Does one of the things that handlers do, right or wrong. */
  private void step(Request req, Response res, Next next) throws Exception {
    switch (draw(req, 24)) {
      case 0 -> throw new IOException("thrown");
      case 1 -> next.fail(new IllegalStateException("passed on"));
      case 2 -> twice(next);
      case 3 -> res.send("response");
      case 4 -> {
        res.send("answered");
        res.send("again");
      }
      case 5 -> {
        res.send("answered");
        next.run();
      }
      case 6 -> {
        res.write("a part");
        throw new IOException("in the middle");
      }
      case 7 -> soon(req, next);
      case 8 -> soon(req, () -> res.send("late"));
      case 9 -> {
        soon(req, () -> res.send("late"));
        soon(req, () -> res.send("at the same time"));
      }
      case 10 -> {
        soon(req, next);
        throw new IOException("before it comes back");
      }
      case 11 -> client(req).disconnect();
      case 12 -> {
        client(req).disconnect();
        res.send("to nobody");
      }
      case 13 -> {
        soon(req, client(req)::disconnect);
        next.run();
      }
      case 14 -> throw new StackOverflowError();
      default -> next.run();
    }
  }

  private static void twice(Next next) {
    next.run();
    next.run();
  }

  private void soon(Request req, Runnable task) {
    long micros = draw(req, 1_000);
    later.schedule(
        () -> {
          try {
            task.run();
          } catch (IllegalStateException second) {
            LOG.log(Level.FINE, "expected", second);
          }
        },
        micros,
        TimeUnit.MICROSECONDS);
  }
}

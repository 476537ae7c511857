package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.ChunkReader;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** Brings services up on the engine under test, and takes them down again. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class ServiceTrial {

  static final long DEADLINE_SECONDS = 10;

  private static final long STILL_MILLIS = 700;

  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  /** Threads that belong to no exchange. */
  private final ExecutorService others =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "other");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Returns the thread mode under test.
   *
   * @return the mode
   */
  protected abstract ThreadMode threads();

  /**
   * Starts the engine under test in its thread mode.
   *
   * @param service what it serves
   * @return reaches it; closing it ends the engine too
   * @throws Exception fails the test
   */
  protected abstract Client serve(Service service) throws Exception;

  @AfterEach
  void takeDown() throws Exception {
    others.shutdownNow();
    for (AutoCloseable one : open) {
      one.close();
    }
  }

  /** Starts a service of some steps. */
  final Client client(Middleware... steps) throws Exception {
    return client(Chain.service(new Settings(), steps));
  }

  /** Starts a service. */
  final Client client(Service service) throws Exception {
    Client client = serve(service);
    open.push(client);
    return client;
  }

  /** Opens a call that is hung up after the test. */
  final Talk open(Client client, Call call) {
    Talk talk = call.open(client);
    open.push(talk);
    return talk;
  }

  /** Tells whether steps may block. */
  final boolean blocks() {
    return threads() != ThreadMode.EVENT_LOOP;
  }

  /** Runs something on a thread that belongs to no exchange. */
  final void elsewhere(Action action) {
    others.execute(
        () -> {
          try {
            action.run();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** Passes on from another thread, now and then a little later. */
  final void passElsewhere(Next next) {
    others.execute(next);
  }

  static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, () -> "within 10 s: " + what);
      Thread.sleep(2);
    }
  }

  /** Waits until a number is above 0 and does not change any more, and gives it. */
  static long still(LongSupplier number) throws InterruptedException {
    await("something has moved", () -> number.getAsLong() > 0);
    long last = -1;
    while (last != number.getAsLong()) {
      last = number.getAsLong();
      Thread.sleep(STILL_MILLIS);
    }
    return last;
  }

  /** Reads a whole body and hands it on as text, or the error instead. */
  static void readText(Request req, BiConsumer<String, @Nullable Throwable> then) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    req.read(
        new ChunkReader() {
          @Override
          public boolean chunk(ByteBuffer piece) {
            while (piece.hasRemaining()) {
              bytes.write(piece.get());
            }
            return true;
          }

          @Override
          public void done(@Nullable Throwable failure) {
            then.accept(bytes.toString(StandardCharsets.UTF_8), failure);
          }
        });
  }

  /** Answers with the text of the body. */
  static void echo(Request req, Response res) {
    readText(req, (text, failure) -> res.send(failure == null ? text : failure.toString()));
  }

  /** Creates a body whose every byte tells where it stands. */
  static byte[] pattern(int size) {
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      bytes[i] = (byte) ('a' + (i * 31L + i / 251) % 26);
    }
    return bytes;
  }

  /** What may fail. */
  @FunctionalInterface
  interface Action {

    /** Acts. */
    void run() throws Exception;
  }
}

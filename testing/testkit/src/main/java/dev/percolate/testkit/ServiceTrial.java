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

/** Starts and stops services on the tested engine. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class ServiceTrial {

  static final long DEADLINE_SECONDS = 10;

  /** How long a number must stay the same. The system does not report that its buffers are full. */
  private static final long STILL_MILLIS = 250;

  final TestedEngine engine;

  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  /** Threads that do not belong to an exchange. */
  private final ExecutorService others =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "other");
            thread.setDaemon(true);
            return thread;
          });

  ServiceTrial(TestedEngine engine) {
    this.engine = engine;
  }

  @AfterEach
  void takeDown() throws Exception {
    others.shutdownNow();
    for (AutoCloseable one : open) {
      one.close();
    }
  }

  /** Starts a service with handlers. */
  final Client client(Middleware... steps) throws Exception {
    return client(Chain.service(new Settings(), steps));
  }

  /** Starts a service. */
  final Client client(Service service) throws Exception {
    Client client = engine.serve(service);
    open.push(client);
    return client;
  }

  /** Opens a call. It is closed after the test. */
  final TestConnection open(Client client, Call call) {
    TestConnection connection = call.open(client);
    open.push(connection);
    return connection;
  }

  /** Returns true if handlers may block. */
  final boolean blocks() {
    return engine.threads() != ThreadMode.EVENT_LOOP;
  }

  /** Runs an action on a thread that does not belong to an exchange. */
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

  /** Passes the request on from another thread. */
  final void passElsewhere(Next next) {
    others.execute(next);
  }

  static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, () -> "no result within 10 s: " + what);
      Thread.sleep(2);
    }
  }

  /** Waits until a number is positive and no longer changes, and returns it. */
  static long still(LongSupplier number) throws InterruptedException {
    await("the number is positive", () -> number.getAsLong() > 0);
    long last = -1;
    while (last != number.getAsLong()) {
      last = number.getAsLong();
      Thread.sleep(STILL_MILLIS);
    }
    return last;
  }

  /** Reads the whole body, and passes on its text or the error. */
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

  /** Responds with the text of the body. */
  static void echo(Request req, Response res) {
    readText(req, (text, failure) -> res.send(failure == null ? text : failure.toString()));
  }

  /** Returns bytes that depend on their position. */
  static byte[] pattern(int size) {
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      bytes[i] = (byte) ('a' + (i * 31L + i / 251) % 26);
    }
    return bytes;
  }

  /** An action that may throw an exception. */
  @FunctionalInterface
  interface Action {

    /** Runs the action. */
    void run() throws Exception;
  }
}

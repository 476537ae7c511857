package dev.percolate.framework;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.ChunkReader;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.core.Response;
import dev.percolate.engine.ThreadMode;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.Lint;
import dev.percolate.testkit.MemoryEngine;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that applications, which all requests share, keep no state of a request: each response
 * repeats exactly the path, query, header and body of its request.
 */
@Timeout(300)
@SuppressWarnings("ThreadPriorityCheck") // yields to provoke races
final class SharedNothingTest {

  private static final int THREADS = 64;

  /** A smaller number if the tests run again on an older JDK. */
  private static final int REQUESTS_EACH = Boolean.getBoolean("percolate.again") ? 100 : 400;

  private static final Key<String> OF_HEADER = Key.of("of header", String.class);
  private static final Key<String> OF_PARAM = Key.of("of param", String.class);

  private static final String[] PLACES = {
    "/users/%s/tail-%s", "/in/users/%s/tail-%s", "/in/deep/users/%s/tail-%s", "/changing/%s/tail-%s"
  };

  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger answered = new AtomicInteger();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

  @Test
  @DisplayName("RTE-09: no request sees anything of another")
  void noRequestSeesAnythingOfAnother() throws InterruptedException {
    App changing = new App();
    App app = application(changing);
    try (MemoryEngine engine = new MemoryEngine(ThreadMode.POOL)) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int number = i;
        threads.add(new Thread(() -> ask(engine, app, number)));
      }
      Thread changer = new Thread(() -> change(changing));
      changer.start();
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      over.set(true);
      changer.join();
    }
    assertEquals(List.of(), wrong.stream().limit(3).toList(), () -> wrong.size() + " wrong");
    assertEquals(THREADS * REQUESTS_EACH, answered.get());
    assertEquals(0, app.counters().lateErrors() + app.counters().duplicateNextCalls());
  }

  private void ask(MemoryEngine engine, App app, int thread) {
    Lint lint = new Lint();
    Client client = engine.client(lint.service(app));
    for (int i = 0; i < REQUESTS_EACH && wrong.isEmpty(); i++) {
      String id = thread + "x" + i;
      String target = PLACES[i % PLACES.length].formatted(id, id) + "?id=" + id;
      String text = Call.post(target).header("X-Id", id).body(id).to(client).text();
      String expected = String.join(" ", id, "tail-" + id, id, id, id, id, id, id, target);
      if (!text.equals(expected)) {
        wrong.add(text + " for " + expected);
      }
      lint.check();
      answered.incrementAndGet();
    }
  }

  private static App application(App changing) {
    App deep = new App();
    users(deep);
    App in = new App().use("/deep", deep);
    users(in);
    App app = new App();
    app.use(SharedNothingTest::readBody, SharedNothingTest::note);
    app.use("/in", in).use("/changing", changing);
    users(app);
    app.param("cid", SharedNothingTest::noteParam);
    app.post(
        "/changing/:cid/:tail",
        (req, res) -> answer(req, res, String.valueOf(req.params().get("cid"))));
    return app;
  }

  /** Adds routes of which the first two pass on, with parameters of the same and other names. */
  private static void users(App app) {
    Middleware passes = (req, res, next) -> next.run();
    app.param("id", SharedNothingTest::noteParam);
    app.post("/users/:id/:other", passes, (req, res, next) -> next.route());
    app.post("/:a/:b/:c", passes);
    app.post(
        "/users/:id/:tail", (req, res) -> answer(req, res, String.valueOf(req.params().get("id"))));
  }

  private static void readBody(Request req, Response res, Next next) {
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
            RequestControl.body(req, bytes.toString(UTF_8));
            next.run();
          }
        });
  }

  private static void note(Request req, Response res, Next next) {
    String id = String.valueOf(req.get("X-Id"));
    req.attr(OF_HEADER, id);
    res.locals().put("id", id);
    next.run();
  }

  private static void noteParam(Request req, Response res, Next next, String value) {
    Thread.yield(); // lets another request run between the match and its use
    req.attr(OF_PARAM, value);
    next.run();
  }

  private static void answer(Request req, Response res, String id) {
    Thread.yield();
    res.send(
        String.join(
            " ",
            id,
            req.params().get("tail"),
            req.query("id"),
            req.get("X-Id"),
            String.valueOf(req.body()),
            req.attr(OF_HEADER),
            req.attr(OF_PARAM),
            String.valueOf(res.locals().get("id")),
            req.originalUrl()));
  }

  /**
   * Adds and removes routes that pass on, and changes other state while the application serves
   * requests.
   */
  private void change(App app) {
    Middleware passes =
        (req, res, next) -> {
          assertTrue(req.params().asMap().size() > 0);
          next.run();
        };
    for (int i = 0; !over.get(); i++) {
      app.post("/:cid/:round" + i % 7, passes).post("/:x/*", passes).set("round", i);
      if (i < 20) {
        app.param("x", SharedNothingTest::noteParam).use("/" + i, passes);
      }
      if (i % 5 == 4) {
        app.routes().clear();
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}

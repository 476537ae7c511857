package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.ChunkReader;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Response;
import dev.percolate.http.HttpError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests errors. Error handlers get each error exactly once, wherever it is thrown. */
abstract class ErrorContract extends ServiceTrial {

  private final AtomicInteger caught = new AtomicInteger();

  private final ErrorHandler catching =
      (error, req, res, next) ->
          res.status(599).send(caught.incrementAndGet() + " " + error.getClass().getSimpleName());

  ErrorContract(TestedEngine engine) {
    super(engine);
  }

  @Test
  void aRequestThatNoHandlerRespondsToGets404() throws Exception {
    assertEquals(404, Call.get("/").to(client((req, res, next) -> next.run())).status());
  }

  @Test
  void anUnhandledErrorIs500OrItsOwnStatus() throws Exception {
    Handler failing =
        (req, res) -> {
          throw req.url().equals("/io") ? new IOException("io") : new HttpError(418);
        };
    Client client = client(failing);
    assertEquals(500, Call.get("/io").to(client).status());
    assertEquals(418, Call.get("/").to(client).status());
  }

  @Test
  void anErrorSkipsHandlersUpToTheNextErrorHandler() throws Exception {
    Handler failing =
        (req, res) -> {
          throw new IOException("before");
        };
    Handler leftOut = (req, res) -> res.send("not left out");
    Reply reply = Call.get("/").to(client(failing, leftOut, catching));
    assertEquals("599 1 IOException", reply.status() + " " + reply.text());
  }

  @Test
  void aReaderThatThrowsAtTheEndOfTheBodyGets500() throws Exception {
    Handler reading = (req, res) -> req.read(new Throwing());
    assertEquals(500, Call.post("/").body("text").to(client(reading)).status());
  }

  /** Reads all chunks, then throws an exception. */
  private static final class Throwing implements ChunkReader {

    @Override
    public boolean chunk(ByteBuffer bytes) {
      return true;
    }

    @Override
    public void done(@Nullable Throwable failure) {
      throw new IllegalStateException("done", failure);
    }
  }

  @Test
  void anErrorFromAnotherThreadIsHandledOnce() throws Exception {
    Middleware failing = (req, res, next) -> elsewhere(() -> next.fail(new IOException("async")));
    assertEquals("1 IOException", Call.get("/").to(client(failing, catching)).text());
  }

  @Test
  void aStageThatFailsIsAnError() throws Exception {
    Middleware failing =
        Middleware.async(
            (req, res) ->
                CompletableFuture.runAsync(
                    () -> {
                      throw new HttpError(409);
                    }));
    assertEquals("1 HttpError", Call.get("/").to(client(failing, catching)).text());
  }

  @Test
  void anErrorWhileReadingABodyIsHandledOnce() throws Exception {
    Middleware failing =
        (req, res, next) ->
            readText(
                req,
                (text, failure) -> {
                  next.fail(new HttpError(400));
                });
    Call call = Call.post("/").body("x");
    assertEquals("1 HttpError", call.to(client(failing, catching)).text());
  }

  @Test
  void anErrorAfterNextDoesNotChangeTheResponse() throws Exception {
    Middleware failing =
        (req, res, next) -> {
          next.run();
          throw new IOException("after");
        };
    Client client = client(failing, (Handler) (req, res) -> res.send("answered"), catching);
    assertEquals("answered", Call.get("/").to(client).text());
    assertEquals("answered", Call.get("/").to(client).text());
    assertEquals(0, caught.get());
  }

  @Test
  void anErrorAfterNextIs500IfThereIsNoResponse() throws Exception {
    AtomicReference<Response> held = new AtomicReference<>();
    Middleware failing =
        (req, res, next) -> {
          next.run();
          throw new IOException("after");
        };
    Client client = client(failing, (Handler) (req, res) -> held.set(res), catching);
    assertEquals(500, Call.get("/").to(client).status());
    assertEquals(0, caught.get());
    assertTrue(Objects.requireNonNull(held.get()).finished());
  }

  @Test
  void anErrorOfAnErrorHandlerGoesToTheNextOne() throws Exception {
    ErrorHandler failing =
        (error, req, res, next) -> {
          throw new IOException("in the handler of " + error);
        };
    Handler first =
        (req, res) -> {
          throw new HttpError(400);
        };
    assertEquals("1 IOException", Call.get("/").to(client(first, failing, catching)).text());
  }

  @Test
  void afterAHandledErrorFurtherHandlersRun() throws Exception {
    ErrorHandler dealing = (error, req, res, next) -> next.run();
    Handler first =
        (req, res) -> {
          throw new HttpError(400);
        };
    Handler last = (req, res) -> res.send("on");
    assertEquals("on", Call.get("/").to(client(first, dealing, last, catching)).text());
  }

  @Test
  void anErrorHasNoHeadersThatDescribeTheIntendedAnswer() throws Exception {
    Middleware described =
        (req, res, next) -> {
          res.set("Cache-Control", "public, max-age=31536000").set("ETag", "\"a\"");
          res.set("Content-Encoding", "gzip").set("Content-Disposition", "attachment");
          res.set("Last-Modified", "Thu, 02 Jan 2020 03:04:05 GMT").set("Content-Language", "de");
          res.set("X-Kept", "1");
          if (req.path().equals("/fails")) {
            throw new HttpError(409);
          }
          next.run();
        };
    Client plain = client(described);
    Client handled = client(described, catching);
    List<Reply> replies =
        List.of(
            Call.get("/nobody").to(plain),
            Call.get("/fails").to(plain),
            Call.get("/fails").to(handled));
    for (Reply reply : replies) {
      assertTrue(reply.status() >= 400, reply::toString);
      assertEquals("1", reply.header("X-Kept"));
      for (String name :
          List.of(
              "Cache-Control",
              "Content-Encoding",
              "Content-Disposition",
              "Content-Language",
              "Last-Modified")) {
        assertNull(reply.header(name), reply::toString);
      }
      assertNotEquals("\"a\"", reply.header("ETag"));
    }
  }

  @Test
  void anErrorAfterAWriteToHeadIs500() throws Exception {
    Handler half =
        (req, res) -> {
          res.write("half");
          throw new IOException("in the middle");
        };
    TestConnection connection = open(client(half), Call.head("/"));
    Reply reply = connection.reply();
    assertEquals(500, reply.status());
    if (!"close".equals(reply.header("Connection"))) { // as Tomcat does after an error
      assertEquals(
          500, connection.then(Call.head("/")).reply().status(), "the next on the connection");
    }
  }

  @Test
  void anErrorInTheMiddleOfTheResponseClosesTheConnection() throws Exception {
    Handler half =
        (req, res) -> {
          res.set("Content-Length", "100");
          res.write("half");
          throw new IOException("in the middle");
        };
    assertTrue(Call.get("/").to(client(half)).aborted());
    Handler chunk =
        (req, res) -> {
          res.write("half");
          throw new IOException("in the middle");
        };
    assertTrue(Call.get("/").to(client(chunk)).aborted());
  }

  @Test
  void aStackOverflowIsHandledOnceAndTheServerContinues() throws Exception {
    Handler deep = (req, res) -> res.send("depth " + depth(0));
    Client client = client(deep, catching);
    for (int i = 1; i <= 3; i++) {
      assertEquals(i + " StackOverflowError", Call.get("/").to(client).text());
    }
    assertEquals(3, caught.get());
  }

  @Test
  void aStackOverflowAfterOtherHandlersIsHandledOnce() throws Exception {
    Middleware through = (req, res, next) -> next.run();
    Handler deep = (req, res) -> res.send("depth " + depth(0));
    Client client = client(through, through, through, deep, catching);
    assertEquals("1 StackOverflowError", Call.get("/").to(client).text());
    assertEquals("2 StackOverflowError", Call.get("/").to(client).text());
    assertEquals(2, caught.get());
  }

  @Test
  void aStackOverflowAroundNextIsHandledOnce() throws Exception {
    Middleware deep = (req, res, next) -> runDeep(next, 0);
    Handler answer = (req, res) -> res.send("must overflow the stack: " + depth(0));
    Client client = client(deep, answer, catching);
    assertEquals("1 StackOverflowError", Call.get("/").to(client).text());
    assertEquals(1, caught.get());
  }

  @Test
  void aLinkageErrorIsHandledLikeOtherErrors() throws Exception {
    Handler failing =
        (req, res) -> {
          throw new NoClassDefFoundError("missing/Thing");
        };
    Client client = client(failing, catching);
    assertEquals("1 NoClassDefFoundError", Call.get("/").to(client).text());
    assertEquals("2 NoClassDefFoundError", Call.get("/").to(client).text());
  }

  @SuppressWarnings("InfiniteRecursion") // the point of the test
  private static long depth(long level) {
    return depth(level + 1) + 1;
  }

  private static long runDeep(Runnable next, int level) {
    if (level == 500) {
      next.run();
      return level;
    }
    return runDeep(next, level + 1) + 1;
  }
}

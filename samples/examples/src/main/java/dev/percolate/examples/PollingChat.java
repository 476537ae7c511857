package dev.percolate.examples;

import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.parsers.BodyParsers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A chat with long polling. Requests wait up to 20 seconds for new messages, without blocking a
 * thread.
 *
 * <pre>
 * mvn -q -Dexample=PollingChat -pl :percolate-examples -am
 * curl localhost:3000/messages?after=0 &amp;
 * curl localhost:3000/messages -d name=ann -d text=hello
 * </pre>
 */
final class PollingChat {
  private record Message(String name, String text) {}

  private final List<Message> messages = new CopyOnWriteArrayList<>();
  private final AtomicReference<CompletableFuture<Void>> arrival =
      new AtomicReference<>(new CompletableFuture<>());

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() {
    PollingChat chat = new PollingChat();
    return new App()
        .get("/messages", Middleware.async(chat::read))
        .post("/messages", BodyParsers.urlencoded(), chat::write);
  }

  private CompletionStage<?> read(Request req, Response res) {
    int after = req.query("after", int.class, 0);
    CompletableFuture<Void> wait = arrival.get().copy(); // before reading, so that none is missed
    if (after < messages.size()) {
      wait.complete(null);
    }
    return wait.completeOnTimeout(null, 20, TimeUnit.SECONDS)
        .thenRun(() -> res.json(messages.stream().skip(Math.max(after, 0)).toList()));
  }

  private void write(Request req, Response res) {
    messages.add(req.form(Message.class));
    arrival.getAndSet(new CompletableFuture<>()).complete(null);
    res.sendStatus(204);
  }
}

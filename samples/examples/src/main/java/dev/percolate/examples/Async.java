package dev.percolate.examples;

import static java.util.concurrent.CompletableFuture.delayedExecutor;
import static java.util.concurrent.CompletableFuture.supplyAsync;

import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * An asynchronous handler: makes two slow calls at the same time, then sends the response.
 *
 * <pre>curl localhost:3000/articles/tea</pre>
 */
final class Async {

  private record Article(int cents, int pieces) {}

  private static final Map<String, Integer> PRICES = Map.of("tea", 410, "coffee", 560);
  private static final Map<String, Integer> STOCK = Map.of("tea", 12, "coffee", 0);

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() {
    App app = new App();
    app.get("/articles/:name", Middleware.async(Async::article));
    return app;
  }

  private static CompletionStage<?> article(Request req, Response res) {
    String name = req.params().required("name", String.class);
    return slowly(PRICES, name)
        .thenCombine(slowly(STOCK, name), Article::new)
        .thenAccept(res::json);
  }

  /** Simulates a slow call on another thread. If it fails, the error handlers get the exception. */
  private static CompletionStage<Integer> slowly(Map<String, Integer> source, String name) {
    return supplyAsync(
        () -> {
          if (!source.containsKey(name)) {
            throw new HttpError(404, "There is no such article.");
          }
          return source.get(name);
        },
        delayedExecutor(100, TimeUnit.MILLISECONDS));
  }
}

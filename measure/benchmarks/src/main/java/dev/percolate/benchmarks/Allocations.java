package dev.percolate.benchmarks;

import com.sun.management.ThreadMXBean;
import dev.percolate.core.Middleware;
import dev.percolate.framework.App;
import dev.percolate.logger.RequestLogger;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/** Counts the bytes that requests allocate in the framework, without an engine. */
final class Allocations {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Receives results, so that the compiler does not remove the work. */
  static long sink;

  private Allocations() {}

  /** Prints the name and the allocated bytes of each kind of request. */
  public static void main(String[] args) {
    measure(100_000).forEach((name, bytes) -> System.out.println(name + " " + bytes));
  }

  /** Returns the bytes of one request of each kind, after {@code warmUp} requests. */
  static Map<String, Long> measure(int warmUp) {
    System.setProperty("percolate.env", "production");
    Map<String, Long> bytes = new LinkedHashMap<>();
    bytes.put("plaintext", each(app(), "/plaintext", warmUp));
    bytes.put("json", each(app(), "/json", warmUp));
    bytes.put("params", each(app(), "/users/4711/posts/12", warmUp));
    bytes.put("seven", each(app(sevenTimesNothing()), "/plaintext", warmUp));
    RequestLogger logger = RequestLogger.of("combined").to((String line) -> sink += line.length());
    bytes.put("logged", each(app(logger), "/plaintext", warmUp));
    return bytes;
  }

  private static long each(App app, String target, int warmUp) {
    play(app, target, warmUp);
    int requests = 2_000;
    long before = THREADS.getCurrentThreadAllocatedBytes();
    play(app, target, requests);
    return (THREADS.getCurrentThreadAllocatedBytes() - before) / requests;
  }

  private static void play(App app, String target, int requests) {
    for (int i = 0; i < requests; i++) {
      DiscardingExchange exchange = new DiscardingExchange(target);
      exchange.executor().execute(() -> app.serve(exchange));
      sink += exchange.written();
    }
  }

  private static Middleware[] sevenTimesNothing() {
    Middleware[] all = new Middleware[7];
    for (int i = 0; i < all.length; i++) {
      all[i] = (req, res, next) -> next.run();
    }
    return all;
  }

  private static App app(Middleware... first) {
    App app = new App().set("etag", false).set("json spaces", 0);
    for (Middleware middleware : first) {
      app.use(middleware);
    }
    MeasuredRoutes.addTo(app);
    return app;
  }
}

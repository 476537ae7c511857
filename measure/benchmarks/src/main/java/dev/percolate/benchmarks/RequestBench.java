package dev.percolate.benchmarks;

import dev.percolate.core.Handler;
import dev.percolate.framework.App;
import dev.percolate.http.Cookies;
import dev.percolate.http.ETag;
import dev.percolate.http.Headers;
import dev.percolate.http.QueryString;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures one feature at a time: reading from a request, and sending a response. */
@State(Scope.Benchmark)
@Fork(value = 2, jvmArgsAppend = "-Dpercolate.env=production")
public class RequestBench extends NanosecondBench {

  private final Headers headers =
      new Headers()
          .addReceived("Host", "shop.example.com")
          .addReceived("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:139.0) Firefox/139.0")
          .addReceived("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
          .addReceived("Accept-Encoding", "gzip, deflate, br")
          .addReceived("Accept-Language", "en-GB,en;q=0.5")
          .addReceived("Referer", "https://shop.example.com/items/4711");
  private final byte[] kilobyte = "a".repeat(1024).getBytes(StandardCharsets.UTF_8);
  private App app = new App();
  private App many = new App();

  /** Creates the applications. */
  @Setup
  public void make() {
    app = new App().set("etag", false).set("json spaces", 0);
    App tagged = new App().set("etag", true);
    Handler hello = (req, res) -> res.send("Hello, World!");
    app.get("/text", hello);
    app.get("/json", (req, res) -> res.json(Map.of("message", "Hello, World!")));
    app.get(
        "/users/:id/posts/:post",
        (req, res) -> res.send(req.params().get("id") + " " + req.params().get("post")));
    tagged.get("/", hello);
    app.use("/tagged", tagged);
    many = new App().set("etag", false);
    MeasuredRoutes.addTo(many);
  }

  /** Reads the last header, by a name in another letter case. */
  @Benchmark
  public @Nullable String header() {
    return headers.get("referer");
  }

  /** Looks up an absent header. */
  @Benchmark
  public @Nullable String noHeader() {
    return headers.get("If-None-Match");
  }

  /** Parses a query with three parameters. */
  @Benchmark
  public Object query() {
    return QueryString.parse("page=3&sort=price&filter%5Bcolour%5D=red");
  }

  /** Parses a header with three cookies. */
  @Benchmark
  public Object cookies() {
    return Cookies.parse("session=4f9c2b7d1e; theme=dark; seen=2026-11-21");
  }

  /** Creates the weak entity tag of one kilobyte. */
  @Benchmark
  public String etag() {
    return ETag.weak(kilobyte);
  }

  /** Creates the strong entity tag of one kilobyte, with a digest. */
  @Benchmark
  public String strongEtag() {
    return ETag.strong(kilobyte);
  }

  /** Sends text. */
  @Benchmark
  public long text() {
    return answer("/text");
  }

  /** Sends text with an entity tag, from a mounted application. */
  @Benchmark
  public long taggedText() {
    return answer("/tagged");
  }

  /** Sends JSON. */
  @Benchmark
  public long json() {
    return answer("/json");
  }

  /** Sends both parameters of a path. */
  @Benchmark
  public long params() {
    return answer("/users/4711/posts/12");
  }

  /** Sends both parameters from a route after fifty others. */
  @Benchmark
  public long paramsOfMany() {
    return answer(many, "/users/4711/posts/12");
  }

  private long answer(String target) {
    return answer(app, target);
  }

  private static long answer(App app, String target) {
    DiscardingExchange exchange = new DiscardingExchange(target);
    exchange.executor().execute(() -> app.serve(exchange));
    return exchange.written();
  }
}

package dev.percolate.benchmarks;

import com.sun.management.ThreadMXBean;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.framework.App;
import dev.percolate.parsers.BodyParsers;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Sends bodies that are meant to be expensive through the parsers, and prints what the worst costs:
 * CPU time and bytes allocated at 100 KiB, and how much longer it takes than half of it. {@code
 * reliability/run G8} starts it.
 */
final class ParseCost {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final Logger LOG = Logger.getLogger("dev.percolate");
  private static final int LARGEST = 100 << 10;
  private static final int CALLS = 30;

  /** Below this, the quotient of two times says more about the clock than about the parser. */
  private static final long TOO_SHORT_NANOS = 200_000;

  private static final double MOST_MILLIS = 50;
  private static final double MOST_MEBIBYTES = 10;
  private static final double MOST_GROWTH = 2.5;

  private ParseCost() {}

  /** What a body of the largest size costs. */
  private record Cost(double millis, double mebibytes, double growth) {

    boolean isFair() {
      return millis <= MOST_MILLIS && mebibytes <= MOST_MEBIBYTES && growth < MOST_GROWTH;
    }
  }

  public static void main(String[] args) {
    LOG.setLevel(Level.OFF);
    Map<String, Cost> costs = new LinkedHashMap<>();
    json().forEach((name, body) -> costs.put("JSON, " + name, cost("application/json", body)));
    forms()
        .forEach(
            (name, body) ->
                costs.put("form, " + name, cost("application/x-www-form-urlencoded", body)));
    costs.put("text, long", cost("text/plain", size -> "a".repeat(size)));
    costs.put(
        "text, in UTF-16", cost("text/plain; charset=utf-16", size -> "\0a".repeat(size / 2)));
    costs.put("raw, long", cost("application/octet-stream", size -> "a".repeat(size)));
    costs.forEach(
        (name, cost) ->
            System.out.printf(
                Locale.ROOT,
                "%s|%.2f|%.2f|%.2f|%s%n",
                name,
                cost.millis,
                cost.mebibytes,
                cost.growth,
                cost.isFair() ? "fair" : "unfair"));
    System.exit(costs.values().stream().allMatch(Cost::isFair) ? 0 : 1);
  }

  private static Map<String, IntFunction<String>> json() {
    Map<String, IntFunction<String>> bodies = new LinkedHashMap<>();
    bodies.put("deep arrays", size -> "[".repeat(size));
    bodies.put("deep objects", size -> "{\"a\":".repeat(size / 5));
    bodies.put(
        "nested as deep as allowed", size -> repeat("[".repeat(900) + "]".repeat(900), size));
    bodies.put("wide arrays", size -> "[0" + ",0".repeat(size / 2 - 2) + "]");
    bodies.put("empty objects", size -> "[{}" + ",{}".repeat(size / 3 - 2) + "]");
    bodies.put("many names", size -> names(size, "\"%d\":0,", "{", "\"z\":0}"));
    bodies.put("names that collide", size -> collisions(size, "\"%s\":0,", "{", "\"z\":0}"));
    bodies.put("a long number", size -> "[" + "9".repeat(size - 2) + "]");
    bodies.put("a long fraction", size -> "[0." + "9".repeat(size - 4) + "]");
    bodies.put("large exponents", size -> "[0" + ",1e999999".repeat(size / 9 - 2) + "]");
    bodies.put("a long text", size -> "[\"" + "a".repeat(size - 4) + "\"]");
    bodies.put("escapes", size -> "[\"" + "\\u0041".repeat(size / 6 - 2) + "\"]");
    bodies.put("blanks", size -> "[" + " ".repeat(size - 2) + "]");
    return bodies;
  }

  private static Map<String, IntFunction<String>> forms() {
    Map<String, IntFunction<String>> bodies = new LinkedHashMap<>();
    bodies.put("separators", size -> "&".repeat(size));
    bodies.put("one name again and again", size -> "a&".repeat(size / 2));
    bodies.put("a thousand of one name", size -> "a=1&".repeat(900) + "b=" + "b".repeat(size / 2));
    bodies.put("brackets", size -> "[".repeat(size));
    bodies.put("deep", size -> "a" + "[b]".repeat(size / 3 - 2) + "=c");
    bodies.put("deep, often", size -> repeat("a" + "[b]".repeat(30) + "=c&", size));
    bodies.put("an array", size -> "a[]=b&".repeat(900) + "c=" + "c".repeat(size / 2));
    bodies.put("indices", size -> names(Math.min(size, 9_000), "a[%d]=b&", "", "c"));
    bodies.put("names that collide", size -> collisions(Math.min(size, 25_000), "%s=&", "", "c"));
    bodies.put("escapes", size -> "a=" + "%41".repeat(size / 3 - 2));
    bodies.put("broken escapes", size -> "a=" + "%".repeat(size - 2));
    bodies.put("long sequences cut short", size -> "a=" + "%F0%9F".repeat(size / 6 - 2));
    bodies.put("blanks", size -> "a=" + "+".repeat(size - 2));
    return bodies;
  }

  private static String repeat(String piece, int size) {
    return piece.repeat(Math.max(1, size / piece.length()));
  }

  private static String names(int size, String format, String begin, String end) {
    StringBuilder text = new StringBuilder(begin);
    for (int i = 0; text.length() < size - 20; i++) {
      text.append(String.format(Locale.ROOT, format, i));
    }
    return text.append(end).toString();
  }

  /** Makes names of which all have the same hash code. */
  private static String collisions(int size, String format, String begin, String end) {
    StringBuilder text = new StringBuilder(begin);
    for (int i = 0; text.length() < size - 60; i++) {
      StringBuilder name = new StringBuilder();
      for (int bit = 0; bit < 14; bit++) {
        name.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      text.append(String.format(Locale.ROOT, format, name));
    }
    return text.append(end).toString();
  }

  private static Cost cost(String type, IntFunction<String> body) {
    byte[] half = body.apply(LARGEST / 2).getBytes(StandardCharsets.ISO_8859_1);
    byte[] all = body.apply(LARGEST).getBytes(StandardCharsets.ISO_8859_1);
    App app = app();
    for (int i = 0; i < 5 * CALLS; i++) {
      play(app, type, half);
    }
    long halfTime = Long.MAX_VALUE;
    long time = Long.MAX_VALUE;
    // On a machine that others use, too, it takes a while until both have been undisturbed once.
    for (int i = 0; i < CALLS || (i < 10 * CALLS && time >= MOST_GROWTH * halfTime); i++) {
      halfTime = Math.min(halfTime, nanos(app, type, half));
      time = Math.min(time, nanos(app, type, all));
    }
    long before = THREADS.getCurrentThreadAllocatedBytes();
    play(app, type, all);
    long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
    double growth = time < TOO_SHORT_NANOS ? 1 : (double) time / halfTime;
    return new Cost(time / 1e6, bytes / (double) (1 << 20), growth);
  }

  private static App app() {
    App app = new App();
    app.use(BodyParsers.json(), BodyParsers.urlencoded().extended(true));
    Middleware rest = BodyParsers.text();
    app.use(rest, BodyParsers.raw());
    Handler end = (req, res) -> res.end();
    return app.use(end);
  }

  private static long nanos(App app, String type, byte[] body) {
    long before = THREADS.getCurrentThreadCpuTime();
    play(app, type, body);
    return THREADS.getCurrentThreadCpuTime() - before;
  }

  private static void play(App app, String type, byte[] body) {
    Posted exchange = new Posted(type, body);
    exchange.turn().execute(() -> app.serve(exchange));
  }
}

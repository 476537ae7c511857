package dev.percolate.framework;

import static dev.percolate.framework.Played.play;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.testkit.Call;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class RouteIndexTest {

  private static final int TABLES = 100_000;

  private static final List<Middleware> STEPS = List.of((req, res, next) -> next.run());

  private static final Layer BEFORE = route(PathPattern.of("/before"));

  private static final String[] PIECES = {
    "a",
    "B",
    "ab",
    "x.y",
    "",
    ":id",
    ":a.:b",
    ":n(\\d+)",
    ":w?",
    ".:e?",
    "*",
    "b*",
    ":r(*)",
    ":s*",
    "p:q",
    "(c)?",
    "a+",
    "[ab]",
    "a?",
    "%41",
    "é"
  };

  private static final String[] SEGMENTS = {
    "a", "A", "b", "B", "ab", "x.y", "X.Y", "", "7", "12", "a.b", "pq", "c", "%41", "é", ".", "aa"
  };

  @Test
  void itOmitsNoMatchingLayer() {
    Random random = new Random(20_201_030);
    Layer[] pool = new Layer[2_000];
    Arrays.setAll(pool, unused -> layer(random));
    for (int table = 0; table < TABLES; table++) {
      Layer[] layers = new Layer[1 + random.nextInt(12)];
      Arrays.setAll(layers, unused -> pool[random.nextInt(pool.length)]);
      String path = path(random);
      assertEquals(linear(layers, path), indexed(layers, path), () -> describe(layers, path));
    }
  }

  @Test
  void itFindsTheRoutesWhoseSegmentsMatch() {
    Layer[] layers = new Layer[10_000];
    for (int i = 0; i < layers.length; i++) {
      layers[i] = route(PathPattern.of(i % 2 == 0 ? "/r" + i + "/:id" : "/:kind/r" + i));
    }
    assertEquals(List.of(4242), candidates(layers, "/r4242/7"));
    assertEquals(List.of(4242, 9999), candidates(layers, "/R4242/r9999/"));
    assertEquals(List.of(), candidates(layers, "/nowhere/7"));
  }

  @Test
  void itIsNotUsedForUnconditionalLayersAndTheFirst() {
    Layer mount = new Mount("/a", STEPS.get(0), "here");
    Layer expression = route(PathPattern.of(Pattern.compile("7$")));
    assertEquals(2, new RouteIndex(new Layer[] {mount, expression, BEFORE, mount}).first());
    assertEquals(1, new RouteIndex(new Layer[] {BEFORE, mount}).first());
    assertEquals(2, new RouteIndex(new Layer[] {mount, expression}).first());
  }

  @Test
  void manyRoutesAreTriedInOrderOfDefinition() {
    App app = new App();
    StringBuilder log = new StringBuilder();
    app.get("/:any", (req, res, next) -> passOn(log.append("any "), next));
    for (int i = 0; i < 100; i++) {
      String path = "/r" + i;
      app.get(path, (req, res, next) -> passOn(log.append(path).append(' '), next));
    }
    app.use((req, res, next) -> passOn(log.append("use "), next));
    app.get(Pattern.compile("7$"), (req, res, next) -> passOn(log.append("expression "), next));
    Handler last = (req, res) -> res.send(log + "last");
    app.get("/r77", last);
    assertEquals("any /r77 use expression last", play(Call.get("/r77"), app).text());
  }

  @Test
  void aChangedUrlIsMatchedAgain() {
    App app = new App();
    app.use(
        (req, res, next) -> {
          req.url("/r50");
          next.run();
        });
    for (int i = 0; i < 100; i++) {
      String path = "/r" + i;
      app.get(path, (req, res) -> res.send(path));
    }
    assertEquals("/r50", play(Call.get("/r3"), app).text());
    assertEquals("GET,HEAD", play(Call.options("/r3"), app).text());
  }

  private static void passOn(StringBuilder log, Next next) {
    assertTrue(log.length() > 0);
    next.run();
  }

  private static Layer layer(Random random) {
    int kind = random.nextInt(20);
    if (kind == 0) {
      return new Mount("/a", STEPS.get(0), "here");
    }
    if (kind == 1) {
      return route(PathPattern.of(Pattern.compile("[ab]/.")));
    }
    StringBuilder path = new StringBuilder();
    int pieces = random.nextInt(4);
    for (int i = 0; i < pieces; i++) {
      path.append(random.nextInt(8) == 0 ? "" : "/").append(PIECES[random.nextInt(PIECES.length)]);
    }
    String text = path.length() == 0 || random.nextInt(5) == 0 ? path + "/" : path.toString();
    try {
      return route(PathPattern.of(text, random.nextBoolean(), random.nextBoolean()));
    } catch (IllegalArgumentException operators) {
      return layer(random);
    }
  }

  private static Layer route(PathPattern pattern) {
    return RouteLayer.of("get", pattern, STEPS, "here");
  }

  private static String path(Random random) {
    StringBuilder path = new StringBuilder(random.nextInt(20) == 0 ? "x" : "");
    int segments = 1 + random.nextInt(4);
    for (int i = 0; i < segments; i++) {
      path.append('/').append(SEGMENTS[random.nextInt(SEGMENTS.length)]);
    }
    return path.toString();
  }

  private static List<Integer> linear(Layer[] layers, String path) {
    List<Integer> matching = new ArrayList<>();
    for (int i = 0; i < layers.length; i++) {
      if (matches(layers[i], path)) {
        matching.add(i);
      }
    }
    return matching;
  }

  private static List<Integer> indexed(Layer[] layers, String path) {
    List<Integer> matching = candidates(layers, path);
    matching.removeIf(i -> !matches(layers[i], path));
    return matching;
  }

  /** Returns the candidates after a layer that does not need the index. */
  private static List<Integer> candidates(Layer[] layers, String path) {
    List<Layer> all = new ArrayList<>(List.of(BEFORE));
    all.addAll(List.of(layers));
    RouteIndex index = new RouteIndex(all.toArray(Layer[]::new));
    assertEquals(1, index.first());
    LayerCursor candidates = new LayerCursor(RoutePath.decoded(path), all.size(), index);
    List<Integer> found = new ArrayList<>();
    for (int i = candidates.next(1); i < all.size(); i = candidates.next(i + 1)) {
      found.add(i - 1);
    }
    return found;
  }

  private static boolean matches(Layer layer, String path) {
    return layer instanceof Mount mount
        ? Mount.covers(mount.prefix(), path)
        : ((RouteLayer) layer).pattern().match(RoutePath.decoded(path)) != null;
  }

  private static String describe(Layer[] layers, String path) {
    return path + " along " + List.of(layers);
  }
}

package dev.percolate.framework.path;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class RouteIndexTest {

  private static final int TABLES = 100_000;

  private static final CompiledPath BEFORE = route("/before");

  private static final CompiledPath EXPRESSION = new CompiledPath(Pattern.compile("[ab]/."));

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
    @Nullable CompiledPath[] pool = new CompiledPath[2_000];
    Arrays.setAll(pool, unused -> layer(random));
    for (int table = 0; table < TABLES; table++) {
      @Nullable CompiledPath[] layers = new CompiledPath[1 + random.nextInt(12)];
      Arrays.setAll(layers, unused -> pool[random.nextInt(pool.length)]);
      String path = path(random);
      assertEquals(linear(layers, path), indexed(layers, path), () -> describe(layers, path));
    }
  }

  @Test
  void itFindsTheRoutesWhoseSegmentsMatch() {
    CompiledPath[] layers = new CompiledPath[10_000];
    for (int i = 0; i < layers.length; i++) {
      layers[i] = route(i % 2 == 0 ? "/r" + i + "/:id" : "/:kind/r" + i);
    }
    assertEquals(List.of(4242), candidates(layers, "/r4242/7"));
    assertEquals(List.of(4242, 9999), candidates(layers, "/R4242/r9999/"));
    assertEquals(List.of(), candidates(layers, "/nowhere/7"));
  }

  @Test
  void itIsNotUsedForUnconditionalLayersAndTheFirst() {
    assertEquals(2, index(null, EXPRESSION, BEFORE, null).first());
    assertEquals(1, index(BEFORE, null).first());
    assertEquals(2, index(null, EXPRESSION).first());
  }

  @Test
  void fewLayersAreAllFound() {
    RouteIndex index = RouteIndex.of(Collections.nCopies(16, BEFORE));
    RouteIndex.Candidates candidates = index.candidates(RoutePath.decoded("/nowhere"));
    assertEquals(15, candidates.next(15));
    assertEquals(16, candidates.next(16));
  }

  private static @Nullable CompiledPath layer(Random random) {
    int kind = random.nextInt(20);
    if (kind < 2) {
      return kind == 0 ? null : EXPRESSION;
    }
    StringBuilder path = new StringBuilder();
    int pieces = random.nextInt(4);
    for (int i = 0; i < pieces; i++) {
      path.append(random.nextInt(8) == 0 ? "" : "/").append(PIECES[random.nextInt(PIECES.length)]);
    }
    String text = path.length() == 0 || random.nextInt(5) == 0 ? path + "/" : path.toString();
    try {
      return new CompiledPath(text, random.nextBoolean(), random.nextBoolean());
    } catch (IllegalArgumentException operators) {
      return layer(random);
    }
  }

  private static CompiledPath route(String path) {
    return new CompiledPath(path, false, false);
  }

  private static RouteIndex index(@Nullable CompiledPath... layers) {
    return new RouteIndex(Arrays.asList(layers), 0);
  }

  private static String path(Random random) {
    StringBuilder path = new StringBuilder(random.nextInt(20) == 0 ? "x" : "");
    int segments = 1 + random.nextInt(4);
    for (int i = 0; i < segments; i++) {
      path.append('/').append(SEGMENTS[random.nextInt(SEGMENTS.length)]);
    }
    return path.toString();
  }

  private static List<Integer> linear(@Nullable CompiledPath[] layers, String path) {
    List<Integer> matching = new ArrayList<>();
    for (int i = 0; i < layers.length; i++) {
      if (matches(layers[i], path)) {
        matching.add(i);
      }
    }
    return matching;
  }

  private static List<Integer> indexed(@Nullable CompiledPath[] layers, String path) {
    List<Integer> matching = candidates(layers, path);
    matching.removeIf(i -> !matches(layers[i], path));
    return matching;
  }

  /** Returns the candidates after a layer that does not need the index. */
  private static List<Integer> candidates(@Nullable CompiledPath[] layers, String path) {
    @Nullable CompiledPath[] all = new CompiledPath[layers.length + 1];
    all[0] = BEFORE;
    System.arraycopy(layers, 0, all, 1, layers.length);
    RouteIndex index = index(all);
    assertEquals(1, index.first());
    RouteIndex.Candidates candidates = index.candidates(RoutePath.decoded(path));
    List<Integer> found = new ArrayList<>();
    for (int i = candidates.next(1); i < all.length; i = candidates.next(i + 1)) {
      found.add(i - 1);
    }
    return found;
  }

  private static boolean matches(@Nullable CompiledPath layer, String path) {
    return layer == null || layer.match(RoutePath.decoded(path)) != null;
  }

  private static String describe(@Nullable CompiledPath[] layers, String path) {
    return path + " along " + Arrays.asList(layers);
  }
}

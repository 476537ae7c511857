package dev.percolate.framework;

import dev.percolate.benchmarks.NanosecondBench;
import dev.percolate.core.Middleware;
import dev.percolate.framework.path.CompiledPath;
import dev.percolate.framework.path.RouteIndex;
import dev.percolate.framework.path.RoutePath;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Finds the route of a path among few and many routes with literals, parameters and stars. */
@State(Scope.Benchmark)
@Fork(2)
public class RouteBench extends NanosecondBench {

  /** The number of routes. */
  @Param({"10", "10000"})
  public int routes;

  /** The route that matches the path. */
  @Param({"first", "last", "none"})
  public String asked;

  private Stack.Layers layers;
  private String path;

  /** Creates the routes. */
  @Setup
  public void make() {
    List<Middleware> steps = List.of((req, res, next) -> next.run());
    List<Layer> all = new ArrayList<>();
    for (int i = 0; i < routes; i++) {
      PathPattern pattern =
          switch (i % 3) {
            case 0 -> PathPattern.of("/shop" + i + "/items/:id");
            case 1 -> PathPattern.of("/files" + i + "/*");
            default -> PathPattern.of("/about/page" + i);
          };
      all.add(RouteLayer.of("get", pattern, steps, "here"));
    }
    layers = new Stack.Layers(all);
    int number = asked.equals("first") ? 0 : (routes - 1) / 3 * 3;
    path = asked.equals("none") ? "/nowhere/items/7" : "/shop" + number + "/items/4711";
  }

  /** Searches up to the first matching route. */
  @Benchmark
  public @Nullable Object match() {
    RoutePath routePath = RoutePath.of(path, true);
    RouteIndex.Candidates candidates = layers.candidates(routePath);
    for (int i = candidates.next(0); i < layers.size(); i = candidates.next(i + 1)) {
      CompiledPath.Match match = ((RouteLayer) layers.get(i)).path().match(routePath);
      if (match != null) {
        return match;
      }
    }
    return null;
  }
}

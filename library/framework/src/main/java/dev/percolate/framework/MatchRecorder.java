package dev.percolate.framework;

import dev.percolate.core.Settings;
import dev.percolate.engine.HeadGuard;
import dev.percolate.framework.path.Mismatch;
import dev.percolate.framework.path.RoutePath;
import dev.percolate.http.KnownMethods;
import dev.percolate.http.NormalPath;
import dev.percolate.http.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Visits the layers of an application like a dispatch, and records which of them match. */
final class MatchRecorder {

  private final RequestMethod method;
  private final InnerLayers inside;
  private final List<Explanation.Line> lines = new ArrayList<>();

  private MatchRecorder(String method, InnerLayers inside) {
    this.inside = inside;
    this.method = RequestMethod.of(method);
  }

  static Explanation of(
      Settings settings, String method, String target, Stack.Layers layers, InnerLayers inside) {
    String mode = Objects.requireNonNull(settings.get(Settings.AMBIGUOUS_TARGETS));
    boolean normalised = !"pass".equals(mode);
    String sent = Target.path(target);
    RoutePath path = RoutePath.of(normalised ? NormalPath.of(sent) : sent, normalised);
    MatchRecorder walk = new MatchRecorder(method, inside);
    if (HeadGuard.rejectsTarget(target, mode)) {
      walk.add(0, "the target", "", "ambiguous", "rejected with 400 before any layer");
    } else {
      walk.stack(layers, path, 0);
    }
    Explanation all = new Explanation(method, path.sent(), walk.lines, List.of());
    List<String> nearest =
        all.matches()
            ? List.of()
            : RouteSuggestions.nearest(AppMap.of(layers, inside), path.text());
    return new Explanation(method, path.sent(), walk.lines, nearest);
  }

  private void stack(Stack.Layers layers, RoutePath path, int depth) {
    for (int i = 0; i < layers.size(); i++) {
      Layer layer = layers.get(i);
      if (layer instanceof Mount mount) {
        mount(mount, path, depth);
      } else if (layer instanceof RouteLayer route) {
        route(route, path, depth);
      } else {
        options((Stack.OptionsLayer) layer, path, depth);
      }
    }
  }

  private void mount(Mount mount, RoutePath path, int depth) {
    String name = mount.name() + " " + AppMap.name(mount.step().getClass());
    String prefix = mount.path().comparedWith(path);
    boolean covered = mount.path().covers(path);
    if (mount.takesErrors()) {
      add(depth, name, mount.origin(), "errors", "only handles errors");
    } else if (mount.path().isAmbiguous(path, covered)) {
      add(depth, name, mount.origin(), "ambiguous", "the path is ambiguous: 400");
    } else if (!covered) {
      add(depth, name, mount.origin(), "mount", "the path is not below " + prefix);
    } else {
      add(depth, name, mount.origin(), "", "");
      InnerLayers.Inner inner = inside.of(mount.step());
      if (inner != null) {
        stack(inner.layers(), below(prefix, path), depth + 1);
      }
    }
  }

  private static RoutePath below(String prefix, RoutePath path) {
    String rest = path.sent().substring(path.sentIndex(prefix.length()));
    return RoutePath.of(rest.startsWith("/") ? rest : "/" + rest, path.isDecoded());
  }

  private void route(RouteLayer route, RoutePath path, int depth) {
    Mismatch mismatch = Mismatch.of(route.path(), path);
    if (mismatch != null) {
      add(depth, route.name(), route.origin(), mismatch.why(), mismatch.reason());
    } else if (route.record(method) == null) {
      String answered = route.verb().toUpperCase(Locale.ROOT);
      add(depth, route.name(), route.origin(), "verb", "route handles " + answered + caseHint());
    } else {
      add(depth, route.name(), route.origin(), "", "");
    }
  }

  private String caseHint() {
    boolean known = method.answering() != RequestMethod.OTHER;
    return known || KnownMethods.find(method.method()) == null
        ? ""
        : "; methods are case-sensitive";
  }

  private void options(Stack.OptionsLayer layer, RoutePath path, int depth) {
    if (method.verb().equals("options") && !layer.allowed(path).isEmpty()) {
      add(depth, layer.name() + " " + layer.allowed(path), layer.origin(), "", "");
    }
  }

  private void add(int depth, String layer, String origin, String why, String reason) {
    lines.add(new Explanation.Line(depth, layer, origin, why.isEmpty(), why, reason));
  }
}

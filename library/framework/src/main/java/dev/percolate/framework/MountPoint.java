package dev.percolate.framework;

import dev.percolate.engine.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The position where an application is mounted, and the applications mounted in it. */
final class MountPoint {

  private final App app;
  private final List<App> inner = new CopyOnWriteArrayList<>();
  private final List<Consumer<App>> listeners = new CopyOnWriteArrayList<>();
  private volatile @Nullable App parent;
  private volatile String path = "/";

  MountPoint(App app) {
    this.app = app;
  }

  @Nullable App parent() {
    return parent;
  }

  String path() {
    return path;
  }

  /**
   * Returns the mount paths from the outermost application to this one, joined by single slashes.
   */
  String prefix() {
    App above = parent;
    if (above == null) {
      return "";
    }
    String own = path;
    int end = own.length();
    while (end > 0 && own.charAt(end - 1) == '/') {
      end--;
    }
    return above.mounting().prefix() + own.substring(0, end);
  }

  void onMount(Consumer<App> listener) {
    listeners.add(Objects.requireNonNull(listener, "onMount(null): listener must not be null"));
  }

  /** Sets the outer application and the mount path. */
  void mountedIn(App outer, String mountPath) {
    for (App above = outer; above != null; above = above.parent()) {
      if (above == app) {
        throw new IllegalArgumentException(
            "use(\"" + mountPath + "\", …): an application cannot be mounted in itself");
      }
    }
    parent = outer;
    path = mountPath;
    app.settings().parent(outer.settings());
    if (outer.settings().enabled(AppSettings.OWN_DEFAULTS.name())) {
      keepDefaults();
    }
    outer.mounting().inner.add(app);
  }

  private void keepDefaults() {
    AppSettings.keepDefaults(app.settings());
    inner.forEach(one -> one.mounting().keepDefaults());
  }

  /** Calls the listeners after the application was mounted. */
  void tell(App outer) {
    listeners.forEach(listener -> listener.accept(outer));
  }

  /**
   * Runs the close actions of the application, and of those mounted in it, after its last server
   * closes.
   */
  void watch(Server server) {
    List<CloseActions> watching = new ArrayList<>();
    collect(watching);
    watching.forEach(CloseActions::opened);
    server.closed().whenComplete((done, error) -> watching.forEach(CloseActions::closed));
  }

  private void collect(List<CloseActions> into) {
    for (App one : inner) {
      one.mounting().collect(into);
    }
    into.add(app.closing());
  }
}

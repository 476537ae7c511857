package dev.percolate.framework;

import dev.percolate.core.Settings;
import dev.percolate.engine.Providers;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Renders the views of an application. Holds its template engines and cached views. Step 7b of
 * docs/flow.md.
 */
final class Views {

  private static final System.Logger LOG = System.getLogger("dev.percolate");

  private final App app;
  private final Map<String, TemplateEngine> engines = new ConcurrentHashMap<>();
  private final Map<String, View> cache = new ConcurrentHashMap<>();

  Views(App app) {
    this.app = app;
  }

  /** Registers the engine for a file extension, with or without its dot. */
  void engine(String extension, @Nullable TemplateEngine engine) {
    if (engine == null) {
      throw new IllegalArgumentException(
          "engine(\"" + extension + "\", null): engine must not be null");
    }
    if (extension.isEmpty() || extension.equals(".") || extension.contains("/")) {
      throw new IllegalArgumentException("engine(\"" + extension + "\", …): invalid extension");
    }
    engines.put(withDot(extension), engine);
  }

  /**
   * Renders a view.
   *
   * @param name the name of the view
   * @param locals maps of locals. Later maps override earlier ones and the locals of the
   *     application
   */
  String render(String name, List<Map<String, ?>> locals) throws Exception {
    Map<String, @Nullable Object> merged = merged(locals);
    return view(name, merged).render(merged);
  }

  /**
   * Renders a view for a callback, which receives all errors except those of the choice of an
   * engine; these are thrown.
   */
  void render(
      String name,
      List<Map<String, ?>> locals,
      BiConsumer<@Nullable Throwable, @Nullable String> callback) {
    Map<String, @Nullable Object> merged = merged(locals);
    View view = view(name, merged);
    String text;
    try {
      text = view.render(merged);
    } catch (Throwable error) {
      callback.accept(error, null);
      return;
    }
    callback.accept(null, text);
  }

  /**
   * Throws if the directory of views was set and does not exist. For a mounted application, which
   * may not render views, it logs a warning instead.
   *
   * @param outermost whether the server runs this application itself
   */
  void checkStart(boolean outermost) {
    Settings settings = app.settings();
    Object setting = settings.get(AppSettings.VIEWS);
    boolean own = settings.names().contains(AppSettings.VIEWS.name());
    if (!own || setting == null || setting.equals(AppSettings.DEFAULT_VIEWS)) {
      return;
    }
    ViewFolder folder = ViewFolder.of(setting.toString());
    if (folder.resources() == null && !Files.isDirectory(Path.of(folder.setting()))) {
      String origin = app.settingOrigins().of(AppSettings.VIEWS.name());
      String place = origin.isEmpty() ? "" : "; set at " + origin;
      String message = "views: there is no directory " + folder + place;
      if (outermost) {
        throw new IllegalStateException(message);
      }
      LOG.log(Level.WARNING, message + " by the application at " + app.path());
    }
  }

  private Map<String, @Nullable Object> merged(List<Map<String, ?>> locals) {
    Map<String, @Nullable Object> merged = new LinkedHashMap<>();
    Map<String, @Nullable Object> ofApp = app.locals();
    synchronized (ofApp) { // copying is not atomic
      merged.putAll(ofApp);
    }
    locals.forEach(merged::putAll);
    if (merged.get("cache") == null) {
      merged.put("cache", app.settings().enabled(AppSettings.VIEW_CACHE.name()));
    }
    return merged;
  }

  /** Finds a view; its template may not exist. */
  private View view(String name, Map<String, @Nullable Object> locals) {
    boolean cached = Settings.truthy(locals.get("cache"));
    View known = cached ? cache.get(name) : null;
    if (known != null) {
      return known;
    }
    String extension = extension(name);
    ViewFolder folder = ViewFolder.of(String.valueOf(app.get(AppSettings.VIEWS)));
    View view = new View(name, extension, folder, engine(extension));
    if (cached && view.exists()) {
      cache.put(name, view);
    }
    return view;
  }

  private String extension(String name) {
    String own = View.extensionOf(name);
    if (!own.isEmpty()) {
      return own;
    }
    Object engine = app.get(AppSettings.VIEW_ENGINE);
    if (engine == null || !Settings.truthy(engine)) {
      throw new IllegalStateException(
          "render(\"" + name + "\"): the name has no extension; add one or set \"view engine\"");
    }
    return withDot(engine.toString());
  }

  /**
   * Returns the engine for an extension: of this application, of the outer ones, else a provider.
   */
  private TemplateEngine engine(String extension) {
    for (App one = app; one != null; one = one.parent()) {
      TemplateEngine known = one.views().engines.get(extension);
      if (known != null) {
        return known;
      }
    }
    return engines.computeIfAbsent(extension, Views::provider);
  }

  private static TemplateEngine provider(String extension) {
    String bare = extension.substring(1);
    List<TemplateEngine> found =
        Providers.all(ServiceLoader.load(TemplateEngine.class)).stream()
            .filter(engine -> engine.extensions().contains(bare))
            .toList();
    if (found.size() != 1) {
      String advice = "; call app.engine(\"" + bare + "\", …)";
      String none = ", or add its module; a shaded jar must merge META-INF/services";
      List<String> names = found.stream().map(one -> one.getClass().getName()).toList();
      throw new IllegalStateException(
          found.isEmpty()
              ? "no template engine for \"" + extension + "\"" + advice + none
              : "several template engines for \"" + extension + "\": " + names + advice);
    }
    return found.get(0);
  }

  private static String withDot(String extension) {
    return extension.startsWith(".") ? extension : "." + extension;
  }
}

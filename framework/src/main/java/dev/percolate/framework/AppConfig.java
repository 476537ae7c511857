package dev.percolate.framework;

import dev.percolate.core.Key;
import dev.percolate.core.Settings;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The part of an application beside its layers: its settings, its locals, its views. */
abstract sealed class AppConfig permits App {

  final Settings settings = AppSettings.create();
  private final Map<String, @Nullable Object> locals =
      Collections.synchronizedMap(new LinkedHashMap<>());
  private final Views views = new Views(self());

  AppConfig() {
    locals.put("settings", settings);
  }

  /**
   * Sets a setting.
   *
   * @param name its name
   * @param value its value
   * @throws IllegalArgumentException if the setting is a known one and the value none of its
   *     values, or if the name begins with a slash as the path of a route does
   */
  public App set(String name, @Nullable Object value) {
    if (name.startsWith("/")) {
      throw new IllegalArgumentException(
          "set(\"" + name + "\", …): a setting's name does not begin with \"/\"");
    }
    settings.set(name, value);
    return self();
  }

  /**
   * Sets a setting by its typed name.
   *
   * @param key its key
   * @param value its value
   * @param <V> its type
   */
  public <V> App set(Key<V> key, V value) {
    settings.set(key, value);
    return self();
  }

  /**
   * Sets all that other settings hold, such as {@link AppSettings#express}.
   *
   * @param settings the other settings
   */
  public App set(Settings settings) {
    this.settings.set(settings);
    return self();
  }

  /**
   * Gives a setting, of this application or of those that it is mounted in.
   *
   * @param name its name
   * @return its value; null where none was set
   * @throws IllegalArgumentException for the path of a route, which needs a handler
   */
  public @Nullable Object get(String name) {
    if (name.startsWith("/")) {
      throw new IllegalArgumentException(
          "get(\""
              + name
              + "\"): a route needs a handler, and a setting's name does not begin with \"/\"");
    }
    return settings.get(name);
  }

  /**
   * Gives a setting by its typed name.
   *
   * @param key its key
   * @param <V> its type
   * @return its value, else the key's fallback, else null
   */
  public <V> @Nullable V get(Key<V> key) {
    return settings.get(key);
  }

  /** Sets a setting to true. */
  public App enable(String name) {
    return set(name, true);
  }

  /** Sets a setting to false. */
  public App disable(String name) {
    return set(name, false);
  }

  /** Tells whether a setting counts as true; see {@link Settings#enabled}. */
  public boolean enabled(String name) {
    return settings.enabled(name);
  }

  /** Tells whether a setting is absent or does not count as true. */
  public boolean disabled(String name) {
    return !settings.enabled(name);
  }

  /** Gives the settings of this application, which ask those that it is mounted in. */
  public Settings settings() {
    return settings;
  }

  /** Runs a block, for a uniform look beside {@link #configure(String, Runnable)}. */
  public App configure(Runnable block) {
    block.run();
    return self();
  }

  /**
   * Runs a block if the setting {@code env} has a value.
   *
   * @param env the value; {@code all} for any
   * @param block the block
   */
  public App configure(String env, Runnable block) {
    return env.equals("all") ? configure(block) : configure(List.of(env), block);
  }

  /**
   * Runs a block if the setting {@code env} has one of some values.
   *
   * @param envs the values; none, or {@code all} alone, for any
   * @param block the block
   */
  public App configure(List<String> envs, Runnable block) {
    Object env = settings.get("env");
    if (envs.isEmpty() || envs.equals(List.of("all")) || (env != null && envs.contains(env))) {
      block.run();
    }
    return self();
  }

  /** Gives the values that all templates of this application see; {@code settings} is one. */
  public Map<String, @Nullable Object> locals() {
    return locals;
  }

  /**
   * Adds values that all templates of this application see.
   *
   * @param values the values by name
   */
  public App locals(Map<String, ?> values) {
    locals.putAll(values);
    return self();
  }

  /**
   * Registers the template engine of the views with an extension; a later one replaces it. Mounted
   * applications use it, too, where they have none of their own.
   *
   * @param extension the extension, such as {@code html}, with or without its dot
   * @param engine the engine
   * @throws IllegalArgumentException if the engine is null, or if no view can have that extension
   */
  public App engine(String extension, TemplateEngine engine) {
    views.engine(extension, engine);
    return self();
  }

  /**
   * Renders a view; see {@link #render(String, Map)}.
   *
   * @param name the name of the view
   * @return the text
   * @throws Exception if there is no such view, or its template fails
   */
  public String render(String name) throws Exception {
    return render(name, Map.of());
  }

  /**
   * Renders a view, outside of any request.
   *
   * <p>A name without extension gets that of the setting {@code view engine}. The template is the
   * file of that name in the directory of the setting {@code views}, else the file {@code index} in
   * the directory of that name. A name may also be absolute, or leave the directory by {@code ..}:
   * so never make one of text from outside. With the setting {@code view cache} each name is looked
   * up once.
   *
   * @param name the name of the view, with or without extension
   * @param locals values for the template, which win over {@link #locals()}
   * @return the text
   * @throws IllegalStateException if neither the name nor the setting {@code view engine} leads to
   *     a template engine
   * @throws java.io.FileNotFoundException if there is no such view
   * @throws Exception if the template fails
   */
  public String render(String name, Map<String, ?> locals) throws Exception {
    return views.render(name, List.of(locals));
  }

  /**
   * Renders a view for a callback; see {@link #render(String, Map)}.
   *
   * @param name the name of the view
   * @param locals values for the template
   * @param callback gets the error, or null and the text
   * @throws IllegalStateException if neither the name nor the setting {@code view engine} leads to
   *     a template engine; the callback is not called then
   */
  public void render(
      String name,
      Map<String, ?> locals,
      BiConsumer<@Nullable Throwable, @Nullable String> callback) {
    views.render(name, List.of(locals), callback);
  }

  Views views() {
    return views;
  }

  private App self() {
    return (App) this;
  }
}

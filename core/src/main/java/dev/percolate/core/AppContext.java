package dev.percolate.core;

import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells what core must know of the application at work for a request: its settings, where it is
 * mounted, and its views.
 *
 * <p>Core knows no applications: each puts its scope on the request on the way in, and the one
 * before on the way out. The methods are called on the request's turn. Step 3 of docs/flow.md.
 */
@FunctionalInterface
public interface AppContext {

  /**
   * Creates the scope of a service without applications: mounted nowhere, without views.
   *
   * @param settings its settings
   */
  static AppContext of(Settings settings) {
    return () -> settings;
  }

  /** Returns the settings that hold here. */
  Settings settings();

  /** Returns the mount path from the root on, without its last slash; empty for the outermost. */
  default String mountPath() {
    return "";
  }

  /**
   * Renders a view for the response of this request. Step 7a of docs/flow.md.
   *
   * @param name the name of the view
   * @param locals values for this rendering, which win over those of the response and of the
   *     application
   * @param callback gets the error or the text; null to send the text as the answer, and to pass an
   *     error to the error handlers of the application
   * @throws IllegalStateException if nobody can tell which template engine to ask
   */
  default void render(
      String name,
      Map<String, ?> locals,
      @Nullable BiConsumer<@Nullable Throwable, @Nullable String> callback) {
    throw new IllegalStateException(
        "render(\"" + name + "\"): no application is at work here, and only one has views");
  }
}

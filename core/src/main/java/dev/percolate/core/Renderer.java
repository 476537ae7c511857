package dev.percolate.core;

import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes answers of views; the application at work puts one on each of its requests.
 *
 * <p>Core knows neither views nor applications: this is what {@link Response#render(String)} and
 * its like ask. Step 7a of docs/flow.md.
 */
@FunctionalInterface
public interface Renderer {

  /**
   * Renders a view of the application at work, for the response of this request.
   *
   * @param name the name of the view
   * @param locals values for this rendering, which win over those of the response and of the
   *     application
   * @param callback gets the error or the text; null to send the text as the answer, and to pass an
   *     error to the error handlers of the application
   * @throws IllegalStateException if nobody can tell which template engine to ask
   */
  void render(
      String name,
      Map<String, ?> locals,
      @Nullable BiConsumer<@Nullable Throwable, @Nullable String> callback);
}

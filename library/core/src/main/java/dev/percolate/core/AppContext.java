package dev.percolate.core;

import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The context of the application that currently handles a request: its settings, mount path and
 * views.
 *
 * <p>An application sets its context on the request when the request enters, and restores the
 * previous one when the request leaves. Methods are called on the executor of the exchange. Step 3
 * of docs/flow.md.
 */
public interface AppContext {

  /** Returns the settings of the application. */
  Settings settings();

  /** Returns the full mount path without a trailing slash; empty for the outermost application. */
  default String mountPath() {
    return "";
  }

  /**
   * Renders a view for the response of this request. Step 7a of docs/flow.md.
   *
   * @param name the name of the view
   * @param locals values for this call, which override those of the response and the application
   * @param callback receives the error or the text; null to send the text as the response, and to
   *     pass an error to the error handlers of the application
   * @throws IllegalStateException if no template engine can be determined
   */
  default void render(
      String name,
      Map<String, ?> locals,
      @Nullable BiConsumer<@Nullable Throwable, @Nullable String> callback) {
    throw new IllegalStateException(
        "render(\"" + name + "\") needs an application with views, but none handles this request");
  }
}

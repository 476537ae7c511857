package dev.percolate.slf4j;

import dev.percolate.core.ContextCarrier;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Carries the mapped diagnostic context (MDC) of SLF4J, so that lines which steps behind a body
 * parser log are marked as those before it, in every thread mode.
 *
 * <p>It works as soon as its artifact is there. A step marks the lines of a request like this:
 *
 * <pre>{@code
 * app.use((req, res, next) -> {
 *   MDC.put("request", id(req));
 *   try {
 *     next.run();
 *   } finally {
 *     MDC.remove("request");
 *   }
 * });
 * }</pre>
 *
 * <p>Only what follows the step is marked, not the lines of hooks such as {@code onFinish}.
 */
public final class MdcCarrier implements ContextCarrier<Map<String, String>> {

  /** Creates a carrier; {@link java.util.ServiceLoader} does. */
  public MdcCarrier() {}

  /** Returns the entries of the calling thread; null if there are none. */
  @Override
  public @Nullable Map<String, String> capture() {
    Map<String, String> entries = MDC.getCopyOfContextMap();
    return entries == null || entries.isEmpty() ? null : entries;
  }

  @Override
  public void run(Map<String, String> entries, Runnable task) {
    Map<String, String> before = MDC.getCopyOfContextMap();
    MDC.setContextMap(entries);
    try {
      task.run();
    } finally {
      if (before == null) {
        MDC.clear();
      } else {
        MDC.setContextMap(before);
      }
    }
  }
}

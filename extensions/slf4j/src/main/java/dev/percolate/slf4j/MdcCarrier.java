package dev.percolate.slf4j;

import dev.percolate.core.ContextCarrier;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Carries the mapped diagnostic context (MDC) of SLF4J to the threads that handle a request. Log
 * entries after a body parser then have the same MDC as those before it, in every thread mode.
 *
 * <p>It is active if the artifact {@code percolate-slf4j} is on the class path or module path.
 * Middleware sets the MDC of a request like this:
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
 * <p>The MDC is set for the middleware and handlers that follow, but not for callbacks such as
 * {@code onFinish}.
 */
public final class MdcCarrier implements ContextCarrier<Map<String, String>> {

  /** Creates a carrier. {@link java.util.ServiceLoader} calls this. */
  public MdcCarrier() {}

  /** Returns the MDC of the calling thread; null if it is empty. */
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

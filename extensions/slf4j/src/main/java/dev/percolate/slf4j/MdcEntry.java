package dev.percolate.slf4j;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.TraitsProvider;
import org.slf4j.MDC;

/**
 * Middleware that puts a request attribute into the SLF4J MDC, for the log entries of all later
 * middleware and handlers. {@link MdcCarrier} carries it to other threads.
 *
 * <pre>{@code
 * app.use(RequestId.of());
 * app.use(MdcEntry.of("request_id", Request.ID));
 * }</pre>
 */
public final class MdcEntry implements Middleware, TraitsProvider {

  private final String name;
  private final Key<?> attribute;

  private MdcEntry(String name, Key<?> attribute) {
    this.name = name;
    this.attribute = attribute;
  }

  /**
   * Creates middleware for an attribute. It does nothing if the attribute is not set.
   *
   * @param name the name in the MDC
   * @param attribute the key of the attribute
   * @throws IllegalArgumentException if the name is empty
   */
  public static MdcEntry of(String name, Key<?> attribute) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("name must not be empty");
    }
    return new MdcEntry(name, attribute);
  }

  /** Returns traits that require the attribute, so that a wrong order is a warning at startup. */
  @Override
  public MiddlewareTraits traits() {
    return MiddlewareTraits.of("mdc-entry").requires(attribute);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    Object value = req.attrOrNull(attribute);
    if (value == null) {
      next.run();
      return;
    }
    String before = MDC.get(name);
    MDC.put(name, value.toString());
    try {
      next.run();
    } finally {
      if (before == null) {
        MDC.remove(name);
      } else {
        MDC.put(name, before);
      }
    }
  }
}

package dev.percolate.slf4j;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import org.slf4j.MDC;

/**
 * Puts an attribute of the request into the MDC of SLF4J, so that all that the steps behind it log
 * is marked with it; {@link MdcCarrier} takes it along from thread to thread.
 *
 * <pre>{@code
 * app.use(RequestId.of());
 * app.use(MdcEntry.of("request_id", Request.ID));
 * }</pre>
 */
public final class MdcEntry implements Middleware {

  private final String name;
  private final Key<?> attribute;

  private MdcEntry(String name, Key<?> attribute) {
    this.name = name;
    this.attribute = attribute;
  }

  /**
   * Marks lines with an attribute, where a step above has set it.
   *
   * @param name the name in the MDC
   * @param attribute the key of the attribute
   * @throws IllegalArgumentException if the name is empty
   */
  public static MdcEntry of(String name, Key<?> attribute) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("MdcEntry.of(\"\", …): a name is not empty");
    }
    return new MdcEntry(name, attribute);
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

package dev.percolate.conformance;

import dev.percolate.framework.Route;
import dev.percolate.middleware.Session;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of the project's objects that scenarios can read. */
final class HostFields {

  private HostFields() {}

  /** Returns a session as a map, with the cookie first, as in the originals. */
  static Map<String, @Nullable Object> of(Session session) {
    Map<String, @Nullable Object> whole = new LinkedHashMap<>();
    whole.put("cookie", session.cookie().toMap());
    whole.putAll(session.values());
    return whole;
  }

  /** Returns the components of a record, and the results of its methods without parameters. */
  static Map<String, @Nullable Object> of(Record record) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    try {
      for (RecordComponent component : record.getClass().getRecordComponents()) {
        all.put(component.getName(), component.getAccessor().invoke(record));
      }
      for (var method : record.getClass().getDeclaredMethods()) {
        boolean accessor = method.getParameterCount() == 0 && method.canAccess(record);
        if (accessor && !List.of("toString", "hashCode").contains(method.getName())) {
          all.put(method.getName(), method.invoke(record));
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    return all;
  }

  /** Returns the properties of a route. */
  static Map<String, @Nullable Object> of(Route route) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("path", route.path());
    all.put("method", route.method());
    all.put("callbacks", route.callbacks());
    all.put("keys", route.keys());
    all.put("regexp", route.regexp());
    return all;
  }
}

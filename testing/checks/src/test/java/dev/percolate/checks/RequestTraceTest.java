package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Traces one POST of JSON through a logger, a body parser and a route.
 *
 * <p>{@code mvn -pl :percolate-checks -am test -Dtest=RequestTraceTest -Dtrace.print=true
 * -Dsurefire.failIfNoSpecifiedTests=false} prints the classes of each module. {@code
 * -Dtrace.print=all} also prints every method, in order.
 */
final class RequestTraceTest {

  /** The maximum number of top-level classes that a POST may enter outside of its engine. */
  private static final int LIMIT = 78;

  /** The engines and their dependencies, carriers of this class path only, and the application. */
  private static final Set<String> BELOW =
      Set.of(
          "nio",
          "nio.wire",
          "nio.protocol",
          "http2",
          "engine",
          "nio.loop",
          "slf4j",
          "observability",
          "checks");

  /**
   * A class that only the first request of a second enters, because the date is formatted again.
   */
  private static final String ONCE_A_SECOND = "HttpDate";

  private static RequestTrace trace;

  @BeforeAll
  static void trace() throws IOException {
    trace = RequestTrace.ofOnePost();
    String print = System.getProperty("trace.print", "");
    if (print.equals("all")) {
      trace.methods().forEach(System.out::println);
    }
    if (!print.isEmpty()) {
      new TreeMap<>(trace.classes())
          .forEach(
              (module, types) -> System.out.println(module + " " + types.size() + " " + types));
    }
  }

  @Test
  void aPostEntersFewClasses() {
    Map<String, Set<String>> classes = new TreeMap<>(trace.classes());
    classes.keySet().removeAll(BELOW);
    classes.get("http").remove(ONCE_A_SECOND);
    int entered = classes.values().stream().mapToInt(Set::size).sum();
    assertTrue(entered <= LIMIT, entered + " classes: " + classes);
  }
}

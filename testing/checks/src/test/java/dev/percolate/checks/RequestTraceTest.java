package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Counts the top-level classes that a POST of JSON and a GET of a static file enter, from the
 * socket to the log line.
 *
 * <p>{@code mvn -pl :percolate-checks -am test -Dtest=RequestTraceTest -Dtrace.print=true
 * -Dsurefire.failIfNoSpecifiedTests=false} prints both numbers, and the classes of each package.
 * {@code -Dtrace.print=all} also prints every method, in order.
 */
final class RequestTraceTest {

  private static final int POST_LIMIT = 108;
  private static final int FILE_LIMIT = 90;

  /** The limit for a POST without the classes of the engine. */
  private static final int ABOVE_ENGINE_LIMIT = 76;

  private static final Set<String> ENGINE =
      Set.of("nio", "nio.loop", "nio.protocol", "nio.tls", "http2", "engine");

  /** Carriers and loggers of this class path only, and the application. */
  private static final Set<String> OTHERS = Set.of("slf4j", "observability", "checks");

  /**
   * A class that only the first request of a second enters, because the date is formatted again.
   */
  private static final String ONCE_A_SECOND = "HttpDate";

  private static Map<String, Set<String>> post;
  private static Map<String, Set<String>> file;

  @BeforeAll
  static void trace() throws IOException {
    post = classes(TracedServer.POST);
    file = classes(TracedServer.FILE);
  }

  @Test
  void aPostEntersFewClasses() {
    assertLimit(POST_LIMIT, post);
  }

  @Test
  void aPostEntersFewClassesOutsideOfTheEngine() {
    Map<String, Set<String>> above = new TreeMap<>(post);
    above.keySet().removeAll(ENGINE);
    assertLimit(ABOVE_ENGINE_LIMIT, above);
  }

  @Test
  void aStaticFileEntersFewClasses() {
    assertLimit(FILE_LIMIT, file);
  }

  /** Returns the classes that a request enters, by package. */
  private static Map<String, Set<String>> classes(String request) throws IOException {
    RequestTrace trace = RequestTrace.of(request);
    Map<String, Set<String>> classes = new TreeMap<>(trace.classes());
    classes.keySet().removeAll(OTHERS);
    classes.get("http").remove(ONCE_A_SECOND);
    String print = System.getProperty("trace.print", "");
    if (print.equals("all")) {
      trace.methods().forEach(System.out::println);
    }
    if (!print.isEmpty()) {
      System.out.println("classes of a " + request + ": " + count(classes));
      classes.forEach((name, types) -> System.out.println(name + " " + types.size() + " " + types));
    }
    return classes;
  }

  private static int count(Map<String, Set<String>> classes) {
    return classes.values().stream().mapToInt(Set::size).sum();
  }

  private static void assertLimit(int limit, Map<String, Set<String>> classes) {
    int entered = count(classes);
    assertTrue(entered <= limit, entered + " classes: " + classes);
  }
}

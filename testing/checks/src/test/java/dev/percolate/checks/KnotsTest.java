package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Compares the knots of all modules, which are classes that depend on each other, with {@code
 * knots.txt}. They may only become fewer and smaller.
 */
final class KnotsTest {
  private static final Path FILE = Path.of("knots.txt");

  /** The maximum size of the largest knot of a module. */
  private static final Map<String, Integer> LIMITS = Map.of("http", 0, "core", 8);

  private static final int LIMIT_OF_OTHERS = 5;

  private static List<Knot> found;

  @BeforeAll
  static void findKnots() throws IOException {
    found = Knot.ofAllModules();
  }

  @Test
  void knotsMatchTheList() throws IOException {
    KnotFile file = new KnotFile(FILE);
    if (Boolean.getBoolean("knots.update")) {
      file.write(found, Boolean.getBoolean("knots.grow"));
    }
    KnotChanges changes = KnotChanges.between(file.knots(), found);
    assertEquals(
        List.of(),
        changes.grown(),
        "new dependencies between classes; jdeps -v MODULE/target/classes/dev shows them. If they"
            + " are necessary, add -Dknots.grow=true to "
            + KnotFile.COMMAND);
    assertEquals(
        KnotFile.text(found),
        file.text(),
        () -> changes.others() + ": write testing/checks/knots.txt: " + KnotFile.COMMAND);
  }

  @Test
  void noModuleExceedsItsLimit() {
    assertEquals(Set.of(), aboveLimit(), "modules whose largest knot is above the limit");
  }

  private static Set<String> aboveLimit() {
    return found.stream()
        .filter(knot -> knot.size() > LIMITS.getOrDefault(knot.module(), LIMIT_OF_OTHERS))
        .map(Knot::module)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}

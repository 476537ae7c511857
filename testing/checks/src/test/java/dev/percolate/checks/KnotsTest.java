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
 * Compares the knots of every module, classes that all need each other, with {@code knots.txt}, so
 * that they only become fewer and smaller.
 */
final class KnotsTest {
  private static final Path FILE = Path.of("knots.txt");

  /** How many classes the largest knot of a module may have. */
  private static final Map<String, Integer> LIMITS = Map.of("http", 0, "core", 11);

  private static final int LIMIT_OF_OTHERS = 5;

  private static List<Knot> found;

  @BeforeAll
  static void findKnots() throws IOException {
    found = Knot.ofAllModules();
  }

  @Test
  void theKnotsOfAllModulesAreThoseOfTheList() throws IOException {
    KnotFile file = new KnotFile(FILE);
    if (Boolean.getBoolean("knots.update")) {
      file.write(found, Boolean.getBoolean("knots.grow"));
    }
    KnotChanges changes = KnotChanges.between(file.knots(), found);
    assertEquals(
        List.of(),
        changes.grown(),
        "classes need each other that did not; jdeps -v MODULE/target/classes/dev shows who needs"
            + " whom. If it must be so: -Dknots.grow=true with "
            + KnotFile.COMMAND);
    assertEquals(
        KnotFile.text(found),
        file.text(),
        () -> changes.others() + ": write testing/checks/knots.txt anew by " + KnotFile.COMMAND);
  }

  @Test
  void noModuleGoesAboveItsLimit() {
    assertEquals(
        Set.of(), aboveLimit(), "the largest knots of these modules are above their limits");
  }

  private static Set<String> aboveLimit() {
    return found.stream()
        .filter(knot -> knot.size() > LIMITS.getOrDefault(knot.module(), LIMIT_OF_OTHERS))
        .map(Knot::module)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}

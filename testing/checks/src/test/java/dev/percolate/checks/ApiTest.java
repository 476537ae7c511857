package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the public signatures of each module with its {@code api/MODULE.txt}, so that every
 * change is visible in review. {@code -Dapi.update=true} writes the files.
 */
final class ApiTest {

  @ParameterizedTest
  @MethodSource("modules")
  void publicSignaturesAreThoseOfTheCheckedInFile(String module) throws Exception {
    Path file = Modules.folder(module).resolve(Path.of("api", module + ".txt"));
    String found = Signatures.of(Modules.classes(module));
    if (Boolean.getBoolean("api.update")) {
      write(file, found);
    }
    List<String> known = Files.exists(file) ? Files.readAllLines(file) : List.of();
    assertEquals(
        List.of(),
        changes(known, found.lines().toList()),
        module
            + ": the public signatures have changed. Mention it in the commit, adapt all modules,"
            + " and write the files: mvn -pl :percolate-checks -am test -Dtest=ApiTest -Dapi.update=true"
            + " -Dsurefire.failIfNoSpecifiedTests=false");
  }

  /** Returns the removed and the added lines. */
  private static List<String> changes(List<String> known, List<String> found) {
    Set<String> gone = new LinkedHashSet<>(known);
    found.forEach(gone::remove);
    Set<String> come = new LinkedHashSet<>(found);
    known.forEach(come::remove);
    List<String> changes = new ArrayList<>();
    gone.forEach(line -> changes.add("- " + line));
    come.forEach(line -> changes.add("+ " + line));
    return changes.isEmpty() && !known.equals(found) ? List.of("the order of lines") : changes;
  }

  private static void write(Path file, String signatures) throws IOException {
    if (signatures.isEmpty()) {
      Files.deleteIfExists(file);
    } else {
      Files.createDirectories(file.getParent());
      Files.writeString(file, signatures);
    }
  }

  private static List<String> modules() throws IOException {
    return Modules.published();
  }
}

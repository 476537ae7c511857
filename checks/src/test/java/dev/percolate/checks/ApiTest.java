package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the public signatures of every module with its {@code api/MODULE.txt}, so that every
 * change of them is seen in review. {@code -Dapi.update=true} writes the files anew.
 */
final class ApiTest {

  @ParameterizedTest
  @MethodSource("modules")
  void publicSignaturesAreThoseOfTheCheckedInFile(String module) throws Exception {
    Path file = Modules.ROOT.resolve(Path.of(module, "api", module + ".txt"));
    String found = Signatures.of(Modules.classes(module));
    if (Boolean.getBoolean("api.update")) {
      write(file, found);
    }
    assertEquals(
        Files.exists(file) ? Files.readString(file) : "",
        found,
        module
            + ": the public signatures changed: say so in the commit, adapt every module, and"
            + " write the files anew by mvn -pl checks -am test -Dtest=ApiTest -Dapi.update=true"
            + " -Dsurefire.failIfNoSpecifiedTests=false");
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

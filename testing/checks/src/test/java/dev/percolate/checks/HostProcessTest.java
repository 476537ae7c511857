package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that published modules neither end the process nor run its garbage collector. */
final class HostProcessTest {

  private static final Pattern GC =
      Pattern.compile("\\bSystem\\.gc\\(|\\.gc\\(\\)|\\brunFinalization\\(");
  private static final Pattern END =
      Pattern.compile("\\bSystem\\.exit\\(|\\.exit\\(|\\.halt\\(|\\.destroyForcibly\\(");

  /**
   * The classes that may: after a fatal error if configured, on a second signal, after the list of
   * routes that the command line requested, and a command that was called with wrong arguments.
   */
  private static final Set<String> ENDING =
      Set.of("FatalErrorHandler.java", "SecondSignal.java", "RouteListing.java", "Dev.java");

  @Test
  void noPublishedModuleRunsTheGarbageCollector() throws IOException {
    assertEquals(List.of(), lines(GC, Set.of()));
  }

  @Test
  void onlyFourPublishedClassesEndTheProcess() throws IOException {
    assertEquals(List.of(), lines(END, ENDING));
  }

  @Test
  void thePatternsMatch() {
    for (String line : List.of("System.gc();", "Runtime.getRuntime().gc();")) {
      assertTrue(GC.matcher(line).find(), line);
    }
    for (String line : List.of("System.exit(1);", "Runtime.getRuntime().halt(STATUS);")) {
      assertTrue(END.matcher(line).find(), line);
    }
  }

  private static List<String> lines(Pattern pattern, Set<String> allowed) throws IOException {
    List<String> found = new ArrayList<>();
    for (String module : Modules.published()) {
      Path sources = Modules.sources(module);
      try (Stream<Path> files = Files.walk(sources)) {
        for (Path file : files.filter(one -> one.toString().endsWith(".java")).toList()) {
          String name = String.valueOf(file.getFileName());
          if (!allowed.contains(name)) {
            Files.readAllLines(file).stream()
                .filter(line -> pattern.matcher(line).find())
                .forEach(line -> found.add(name + ": " + line.strip()));
          }
        }
      }
    }
    return found;
  }
}

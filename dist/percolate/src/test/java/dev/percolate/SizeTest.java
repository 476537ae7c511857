package dev.percolate;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;

/** Limits the size of the runtime dependencies: the path of these tests, without test libraries. */
final class SizeTest {

  private static final long KILO = 1_000;
  private static final long MEGA = 1_000_000;
  private static final long MEBI = 1 << 20;

  private static final Pattern OF_TESTS =
      Pattern.compile(
          "test-classes|.*testkit.*|.*fixtures.*|junit-.*|apiguardian-.*|opentest4j-.*|surefire.*|.*jazzer.*");

  @Test
  void allOfItAndItsEngineTakeAtMostFourMebibytesInFifteenJars() {
    List<Path> taken = taken();
    assertTrue(
        taken.stream().anyMatch(path -> named(path).matches("nio|percolate-nio-.*")),
        taken::toString);
    assertTrue(taken.size() <= 15, () -> taken.size() + " jars: " + taken);
    long size = taken.stream().mapToLong(SizeTest::size).sum();
    assertTrue(size > 3 * MEGA && size <= 4 * MEBI, () -> size + " bytes: " + taken);
  }

  @Test
  void theLoggerTakesAtMostTwoHundredKilobytes() {
    List<Path> logger =
        taken().stream().filter(path -> named(path).matches("logger|percolate-logger-.*")).toList();
    long size = logger.stream().mapToLong(SizeTest::size).sum();
    assertTrue(size > 20 * KILO && size <= 200 * KILO, () -> size + " bytes: " + logger);
  }

  /** Returns jars, or folders of classes if the jar has not been built yet. */
  private static List<Path> taken() {
    String paths = System.getProperty("java.class.path", "");
    String modules = System.getProperty("jdk.module.path", "");
    return Stream.of((paths + File.pathSeparator + modules).split(File.pathSeparator))
        .filter(path -> !path.isEmpty())
        .map(Path::of)
        .filter(path -> !OF_TESTS.matcher(named(path)).matches() && Files.exists(path))
        .distinct()
        .toList();
  }

  /** Returns the name of a jar, or the module name of a folder of classes. */
  private static String named(Path path) {
    boolean classes = path.endsWith(Path.of("target", "classes"));
    return String.valueOf((classes ? path.getParent().getParent() : path).getFileName());
  }

  /** Returns the size of a jar, or of the jar that a folder of classes will become. */
  private static long size(Path path) {
    var jar = new ByteArrayOutputStream();
    try (Stream<Path> files = Files.walk(path);
        var entries = new ZipOutputStream(jar)) {
      if (Files.isRegularFile(path)) {
        return Files.size(path);
      }
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        entries.putNextEntry(new ZipEntry(path.relativize(file).toString()));
        Files.copy(file, entries);
      }
      entries.finish();
      return jar.size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

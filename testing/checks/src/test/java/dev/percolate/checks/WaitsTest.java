package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares the tests that wait for 100 ms or more with those that the record of the structure
 * lists. The list only shrinks. Not searched: the player of recorded scenarios, since recordings
 * contain waits, and the processes that goals measure.
 */
final class WaitsTest {

  private static final int MOST = 10;
  private static final Path RECORD = Modules.ROOT.resolve("docs/decisions/0079-structure.md");
  private static final Pattern ROW = Pattern.compile("\\| `([\\w.]+)` \\| [^|]+ \\|");

  @Test
  void onlyListedTestsWait() throws IOException {
    Map<String, List<String>> waits = new TreeMap<>();
    List<Path> sources = sources();
    assertTrue(sources.size() >= 700, sources::toString);
    for (Path source : sources) {
      List<String> found = Waits.in(Files.readString(source));
      if (!found.isEmpty()) {
        waits.put(name(source), found);
      }
    }
    Set<String> listed = listed();
    assertEquals(listed, waits.keySet(), waits::toString);
    assertTrue(listed.size() <= MOST, listed::toString);
  }

  /** Each line has a call that waits, and a similar one that does not wait, or not as long. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Thread.sleep(100)                                | Thread.sleep(99)",
        "Thread.sleep(1_000)                              | Thread.sleep(60_000)",
        "Thread.sleep(LONG)                               | Thread.sleep(SHORT)",
        "Thread.sleep(TIME.toMillis() * 2)                | Thread.sleep(TIME.toMillis() / 2)",
        "Thread.sleep(TIME.multipliedBy(2).toMillis())    | Thread.sleep(unknown.toMillis())",
        "Thread.sleep(busy ? 300 : 0)                     | Thread.sleep(busy ? 30 : 0)",
        "TimeUnit.MILLISECONDS.sleep(100)                 | TimeUnit.MICROSECONDS.sleep(100)",
        "SECONDS.sleep(1)                                 | SECONDS.sleep(LONG)",
        "parkNanos(TimeUnit.SECONDS.toNanos(1))           | parkNanos(1_000_000)",
        "parkNanos(this, 100_000_000L)                    | parkNanos(this, TIME.toNanos())",
        "f.completeOnTimeout(x, 1, TimeUnit.SECONDS)      | f.completeOnTimeout(x, 5, SECONDS)",
        "delayedExecutor(100, TimeUnit.MILLISECONDS)      | delayedExecutor(99, MILLISECONDS)",
        "latch.await(100, TimeUnit.MILLISECONDS)          | latch.await(10, TimeUnit.SECONDS)",
        "queue.poll(500, MILLISECONDS)                    | queue.poll(99, MILLISECONDS)",
        "thread.join(1_000)                               | thread.join(20_000)",
        "options.idleTimeout(Duration.ofMillis(200))      | options.idleTimeout(TIME)",
        "options.shutdownDelay(Duration.ofSeconds(ONE))   | o.bodyTimeout(Duration.ofSeconds(5))",
        "sockets.sendTimeout(\"300 ms\")                    | sockets.sendTimeout(\"30 ms\")",
        "Timeout.of(300)                                  | Timeout.of(\"5 s\")",
      })
  void waitsAreFoundByTheirTime(String wait, String other) {
    String constants =
        "Duration TIME = Duration.ofMillis(50); long LONG = 2 * 80; int SHORT = 80; int ONE = 1;";
    assertEquals(1, Waits.in(constants + wait).size(), wait);
    assertEquals(List.of(), Waits.in(constants + other), other);
  }

  @Test
  void textsAndNamesWithSeveralValuesAreIgnored() {
    for (String source :
        List.of(
            "// Thread.sleep(500)",
            "/* Thread.sleep(500) */",
            "String text = \"Thread.sleep(500)\";",
            "int time = 500; int time = 50; Thread.sleep(time);",
            "int one = other; int other = one; Thread.sleep(one);")) {
      assertEquals(List.of(), Waits.in(source), source);
    }
  }

  private static String name(Path source) {
    String path = source.toString().replaceFirst(".*/java/dev/percolate/", "");
    return path.replace(".java", "").replace('/', '.');
  }

  /** Returns the classes that the record lists, each in a row with the reason. */
  private static Set<String> listed() throws IOException {
    Set<String> listed = new TreeSet<>();
    for (String line : Files.readAllLines(RECORD)) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        listed.add(row.group(1));
      }
    }
    return listed;
  }

  /** Returns the sources of the tests of all modules, and of what they share. */
  private static List<Path> sources() throws IOException {
    List<Path> folders = new ArrayList<>();
    folders.add(Modules.sources("testkit"));
    folders.add(Modules.sources("fixtures"));
    for (String module : Modules.ofBuild()) {
      folders.add(Modules.folder(module).resolve("src/test/java"));
    }
    List<Path> sources = new ArrayList<>();
    for (Path folder : folders) {
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.walk(folder)) {
          files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
        }
      }
    }
    return sources;
  }
}

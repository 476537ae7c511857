package dev.percolate.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Compares the bytes that a request allocates with {@code allocation.txt}. They do not depend on
 * the machine, because these tests run without the optimizing compiler, which removes different
 * allocations in each run.
 *
 * <p>To write the baseline: {@code mvn -pl :percolate-benchmarks -am test -Dtest=AllocationTest
 * -Dsurefire.failIfNoSpecifiedTests=false -Dallocation.update=true}.
 */
final class AllocationTest {

  private static final Path BASELINE = Path.of("allocation.txt");
  private static final Map<String, Long> MEASURED = Allocations.measure(500);

  @Test
  void noRequestAllocatesMuchMoreThanItsBaseline() throws IOException {
    if (Boolean.getBoolean("allocation.update")) {
      Files.write(BASELINE, MEASURED.entrySet().stream().map(Object::toString).toList());
    }
    assertEquals(
        List.of(),
        MEASURED.entrySet().stream()
            .filter(each -> each.getValue() > baseline(each.getKey()) * 1.1)
            .map(each -> each + " bytes, baseline " + baseline(each.getKey()))
            .toList());
  }

  @Test
  void theBaselineIsLoweredWhenARequestAllocatesMuchLess() {
    assertEquals(
        List.of(),
        MEASURED.entrySet().stream()
            .filter(each -> each.getValue() < baseline(each.getKey()) * 0.8)
            .map(each -> each + " bytes: lower the baseline " + baseline(each.getKey()))
            .toList());
  }

  @Test
  void everyRequestOfTheBaselineIsMeasured() throws IOException {
    assertEquals(read().keySet(), MEASURED.keySet());
  }

  private static long baseline(String name) {
    try {
      return Objects.requireNonNull(read().get(name), name);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<String, Long> read() throws IOException {
    Map<String, Long> bytes = new LinkedHashMap<>();
    for (String line : Files.readAllLines(BASELINE)) {
      int equals = line.indexOf('=');
      bytes.put(line.substring(0, equals), Long.valueOf(line.substring(equals + 1)));
    }
    return bytes;
  }
}

package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is wrong in one interleaving of many is found, on this JDK as well, and nothing else is. */
class InterleavingsTest {

  private int count;

  @Test
  void anUpdateThatIsLostIsFound() {
    // Not always its own error: Lincheck can fail at telling the interleaving that it has found.
    assertThrows(
        Throwable.class,
        () ->
            Interleavings.check(
                () -> {
                  InterleavingsTest counter = new InterleavingsTest();
                  Interleavings.inParallel(() -> counter.count++, () -> counter.count++);
                  assertEquals(2, counter.count);
                }));
  }

  @Test
  void updatesThatAreWholePass() {
    Interleavings.check(
        () -> {
          AtomicInteger counter = new AtomicInteger();
          Interleavings.inParallel(counter::incrementAndGet, counter::incrementAndGet);
          assertEquals(2, counter.get());
        });
  }
}

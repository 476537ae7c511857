package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Test;

/** What is wrong in one interleaving of many is found, on this JDK as well, and nothing else is. */
class InterleavingsTest {

  private int count;

  @Test
  void anUpdateThatIsLostIsFound() {
    Throwable found =
        assertThrows(
            Throwable.class,
            () ->
                Interleavings.check(
                    () -> {
                      InterleavingsTest counter = new InterleavingsTest();
                      Interleavings.inParallel(() -> counter.count++, () -> counter.count++);
                      assertEquals(2, counter.count);
                    }));
    // The second is Lincheck's own, when it fails at telling the interleaving that it has found.
    assertTrue(
        found instanceof LincheckAssertionError || found instanceof IndexOutOfBoundsException,
        found::toString);
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

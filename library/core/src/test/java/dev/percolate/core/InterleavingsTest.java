package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Test;

/** A fault in one of many interleavings is found on this JDK, and correct code passes. */
class InterleavingsTest {

  private int count;

  @Test
  void aLostUpdateIsFound() {
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
    // Lincheck throws the second if it cannot print the interleaving that it has found.
    assertTrue(
        found instanceof LincheckAssertionError || found instanceof IndexOutOfBoundsException,
        found::toString);
  }

  @Test
  void atomicUpdatesPass() {
    Interleavings.check(
        () -> {
          AtomicInteger counter = new AtomicInteger();
          Interleavings.inParallel(counter::incrementAndGet, counter::incrementAndGet);
          assertEquals(2, counter.get());
        });
  }
}

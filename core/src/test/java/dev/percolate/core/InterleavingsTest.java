package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Test;

/** What is wrong in one interleaving of many is found, on this JDK as well. */
class InterleavingsTest {

  private int count;

  @Test
  void anUpdateThatIsLostIsFound() {
    assertThrows(
        LincheckAssertionError.class,
        () ->
            Interleavings.check(
                () -> {
                  InterleavingsTest counter = new InterleavingsTest();
                  Interleavings.inParallel(() -> counter.count++, () -> counter.count++);
                  assertEquals(2, counter.count);
                }));
  }
}

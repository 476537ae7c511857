package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The kinds of threads of event loops. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
final class LoopThreadsTest {

  private final String before = System.getProperty(LoopThreads.PROPERTY);

  @AfterEach
  void restore() {
    if (before == null) {
      System.clearProperty(LoopThreads.PROPERTY);
    } else {
      System.setProperty(LoopThreads.PROPERTY, before);
    }
  }

  private static LoopThreads chosen(String named) {
    System.setProperty(LoopThreads.PROPERTY, named);
    return LoopThreads.chosen();
  }

  @Test
  void thePropertySelectsPlatformThreads() {
    assertEquals(LoopThreads.PLATFORM, chosen("platform"));
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_25)
  void thePropertySelectsVirtualThreadsIfSelectorsReleaseCarriers() {
    assertTrue(LoopThreads.available());
    assertEquals(LoopThreads.VIRTUAL, chosen("virtual"));
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_20)
  void virtualThreadsAreRejectedOnAJdkWithoutThem() {
    assertFalse(LoopThreads.available());
    assertEquals(
        "percolate.loops=virtual needs a JDK whose selectors release carrier threads",
        assertThrows(IllegalArgumentException.class, () -> chosen("virtual")).getMessage());
  }

  @Test
  void otherNamesAreRejected() {
    assertEquals(
        "percolate.loops must be platform or virtual, was green",
        assertThrows(IllegalArgumentException.class, () -> chosen("green")).getMessage());
  }
}

package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.junit.jupiter.api.Test;

/** Checks that the suite runs on the JDK that the build names, not on another one. */
final class JdkPromiseTest {
  private static final String PROPERTY = "percolate.jdk.promised";

  @Test
  void theSuiteRunsOnTheJdkThatTheBuildPromised() {
    String promised = System.getProperty(PROPERTY);
    assertNotNull(
        promised,
        "no JDK version given: run this test with Maven, or pass -D"
            + PROPERTY
            + "="
            + Runtime.version().feature());
    assertEquals(promised, String.valueOf(Runtime.version().feature()), PROPERTY);
  }
}

package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.junit.jupiter.api.Test;

/** A build that says it ran the suite on two JDKs may have run it on one of them twice. */
final class JdkPromiseTest {
  private static final String PROPERTY = "percolate.jdk.promised";

  @Test
  void theSuiteRunsOnTheJdkThatTheBuildPromised() {
    String promised = System.getProperty(PROPERTY);
    assertNotNull(
        promised,
        "The build promises no JDK: run this test by Maven, or pass -D"
            + PROPERTY
            + "="
            + Runtime.version().feature());
    assertEquals(promised, String.valueOf(Runtime.version().feature()), PROPERTY);
  }
}

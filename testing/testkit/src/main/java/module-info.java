import org.jspecify.annotations.NullMarked;

/**
 * Test support for applications and middleware: an in-memory engine, fluent calls, and contracts as
 * test classes.
 */
@NullMarked
module dev.percolate.testkit {
  requires transitive dev.percolate.core;
  requires static org.junit.jupiter.api; // only for the contracts
  requires static transitive org.jspecify;

  exports dev.percolate.testkit;
  exports dev.percolate.testkit.replay;

  // JUnit calls the test methods of the contracts, which are not public.
  opens dev.percolate.testkit to
      org.junit.platform.commons;
}

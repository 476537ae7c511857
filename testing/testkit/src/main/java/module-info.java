import org.jspecify.annotations.NullMarked;

/**
 * Tests of what is built on Percolate: an engine without a socket, fluent calls, and the written
 * contracts of middleware and engines as tests.
 */
@NullMarked
module dev.percolate.testkit {
  requires transitive dev.percolate.core;
  requires static org.junit.jupiter.api; // of the contracts alone
  requires static transitive org.jspecify;

  exports dev.percolate.testkit;

  // JUnit calls the contracts' methods, which are not public.
  opens dev.percolate.testkit to
      org.junit.platform.commons;
}

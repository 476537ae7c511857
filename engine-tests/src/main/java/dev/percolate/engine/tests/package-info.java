/**
 * The tests that every engine with its own connections passes: what clients send, byte by byte, how
 * servers start and end, and what they survive. Those of one exchange are the testkit's.
 */
@NullMarked
package dev.percolate.engine.tests;

import org.jspecify.annotations.NullMarked;

/** Plays recorded scenarios against this project and compares what comes back. */
@NullMarked
package dev.percolate.conformance;

import org.jspecify.annotations.NullMarked;

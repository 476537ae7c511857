/** Plays recorded scenarios against this project and compares the responses. */
@NullMarked
package dev.percolate.conformance;

import org.jspecify.annotations.NullMarked;

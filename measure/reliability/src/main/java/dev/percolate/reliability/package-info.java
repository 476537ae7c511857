/** Loads servers with requests of all kinds, valid and hostile, and checks every response. */
@NullMarked
package dev.percolate.reliability;

import org.jspecify.annotations.NullMarked;

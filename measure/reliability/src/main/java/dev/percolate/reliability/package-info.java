/** Loads servers with requests of all kinds, well and badly meant, and checks every answer. */
@NullMarked
package dev.percolate.reliability;

import org.jspecify.annotations.NullMarked;

/** Parts that engines share; for those of this project alone. */
package dev.percolate.engine.parts;

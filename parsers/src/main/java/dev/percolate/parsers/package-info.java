/** The body parsers. */
package dev.percolate.parsers;

/** What an engine supplies for each exchange, and what engines share. */
package dev.percolate.engine;

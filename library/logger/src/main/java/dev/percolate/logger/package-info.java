/** The request logger, its formats and tokens, and the sinks that write its lines. */
package dev.percolate.logger;

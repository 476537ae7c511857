/** The request logger: formats, tokens and the sinks that lines go to. */
package dev.percolate.logger;

/** Keeps the SLF4J MDC of a request when it moves to another thread. */
package dev.percolate.slf4j;

/** The MDC of SLF4J, carried with a request. */
package dev.percolate.slf4j;

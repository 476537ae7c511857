/**
 * Interfaces for a module that adds another protocol to the connections of this engine. A {@link
 * Protocol} is found by the service loader and uses the same event loops, limits and counters.
 */
package dev.percolate.nio.protocol;

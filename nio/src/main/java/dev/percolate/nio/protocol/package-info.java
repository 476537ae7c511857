/**
 * What a module needs that speaks another protocol than HTTP/1.1 on the connections of this engine:
 * {@link Protocol} is found by the service loader, and served by the same loops, limits and counts.
 */
package dev.percolate.nio.protocol;

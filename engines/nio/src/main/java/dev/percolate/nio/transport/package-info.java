/**
 * The layer between a connection and its socket: plain or TLS. It depends on neither event loops
 * nor HTTP.
 */
package dev.percolate.nio.transport;

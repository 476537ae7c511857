/**
 * What stands between a connection and its socket: nothing, or TLS. It knows neither loops nor
 * HTTP, so that what is spoken over it and what carries it do not grow together.
 */
package dev.percolate.nio.wire;

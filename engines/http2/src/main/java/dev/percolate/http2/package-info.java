/** HTTP/2 (RFC 9113) on connections of the engine {@code nio}. See step 1 of docs/flow.md. */
package dev.percolate.http2;

/** Compression of response bodies. */
package dev.percolate.middleware.compression;

/** Request bodies in zstd. */
package dev.percolate.zstd;

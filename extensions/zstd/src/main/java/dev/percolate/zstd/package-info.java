/** Decompresses zstd request bodies for the body parsers. */
package dev.percolate.zstd;

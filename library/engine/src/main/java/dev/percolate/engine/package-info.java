/** The interface between engines (HTTP servers) and applications, and code that engines share. */
package dev.percolate.engine;

/** The JSON codec. */
package dev.percolate.json;

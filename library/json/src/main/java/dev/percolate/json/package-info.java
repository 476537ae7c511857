/** The JSON codec, based on Jackson 3. */
package dev.percolate.json;

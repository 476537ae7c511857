/** Renders Pebble templates. */
package dev.percolate.views.pebble;

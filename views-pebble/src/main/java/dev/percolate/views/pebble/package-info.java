/** The template engine by Pebble. */
package dev.percolate.views.pebble;

/** Renders Mustache templates. */
package dev.percolate.views.mustache;

/** Renders jte templates. */
package dev.percolate.views.jte;

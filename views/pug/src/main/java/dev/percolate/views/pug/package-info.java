/** Renders Pug templates with pug4j. */
package dev.percolate.views.pug;

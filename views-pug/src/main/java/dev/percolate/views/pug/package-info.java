/** The template engine by pug4j. */
package dev.percolate.views.pug;

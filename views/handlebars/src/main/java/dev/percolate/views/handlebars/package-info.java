/** Renders Handlebars templates. */
package dev.percolate.views.handlebars;

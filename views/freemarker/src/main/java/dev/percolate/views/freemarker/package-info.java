/** Renders FreeMarker templates. */
package dev.percolate.views.freemarker;

/** The template engine by FreeMarker. */
package dev.percolate.views.freemarker;

/** The template engine by Handlebars. */
package dev.percolate.views.handlebars;

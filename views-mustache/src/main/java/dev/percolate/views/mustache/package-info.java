/** The template engine by Mustache. */
package dev.percolate.views.mustache;

/** The template engine by jte. */
package dev.percolate.views.jte;

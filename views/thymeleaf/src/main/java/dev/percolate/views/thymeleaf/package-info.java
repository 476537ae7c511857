/** Renders Thymeleaf templates. */
package dev.percolate.views.thymeleaf;

/** The template engine by Thymeleaf. */
package dev.percolate.views.thymeleaf;

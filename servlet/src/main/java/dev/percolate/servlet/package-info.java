/** Percolate inside a servlet container. */
package dev.percolate.servlet;

/** Runs Percolate in a servlet container. */
package dev.percolate.servlet;

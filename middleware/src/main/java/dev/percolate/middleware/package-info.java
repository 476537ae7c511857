/** Middleware of general use: static files and cookies. */
package dev.percolate.middleware;

/** Middleware of general use: static files, cookies, sessions, compression, guards and more. */
package dev.percolate.middleware;

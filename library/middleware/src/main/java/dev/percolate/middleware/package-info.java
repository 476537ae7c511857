/** Middleware: static files, cookies, sessions, compression, CORS, CSRF, rate limiting and more. */
package dev.percolate.middleware;

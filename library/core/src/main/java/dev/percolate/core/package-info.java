/** HTTP requests and responses, middleware, handlers, settings and file serving. */
package dev.percolate.core;

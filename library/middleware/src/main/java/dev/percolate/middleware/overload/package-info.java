/** Queues and limits that decide which requests start while a server is overloaded. */
package dev.percolate.middleware.overload;

/** In-memory engine, fluent calls, and contracts as test classes. */
package dev.percolate.testkit;

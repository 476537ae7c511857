/** An engine without a socket, fluent calls, and contracts as tests. */
package dev.percolate.testkit;

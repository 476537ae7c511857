/** Threads, limits and timeouts of an event loop, also for protocols in other modules. */
package dev.percolate.nio.loop;

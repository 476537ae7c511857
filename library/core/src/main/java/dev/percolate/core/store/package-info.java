/** Stores that several servers can share: sessions, rate limits, responses, topics and rooms. */
package dev.percolate.core.store;

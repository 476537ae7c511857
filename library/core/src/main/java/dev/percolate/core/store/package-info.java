/** Stores that several servers can share: sessions, rate limits, responses and topics. */
package dev.percolate.core.store;

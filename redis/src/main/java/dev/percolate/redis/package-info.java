/** Sessions, limits, answers and topics that several servers share, in Redis. */
package dev.percolate.redis;

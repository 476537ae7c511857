/**
 * Sessions, rate limits, idempotent responses and topics, shared by several servers through Redis.
 */
package dev.percolate.redis;

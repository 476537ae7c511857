/**
 * Sessions, rate limits, idempotent responses and topics, shared by several servers through
 * PostgreSQL.
 */
package dev.percolate.jdbc;

/**
 * Tests that every engine with network connections must pass: exact bytes from clients, the start
 * and shutdown of servers, and recovery from failures. The module {@code testkit} tests single
 * exchanges.
 */
@NullMarked
package dev.percolate.engine.tests;

import org.jspecify.annotations.NullMarked;

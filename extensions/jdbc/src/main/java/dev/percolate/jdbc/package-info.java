/** Sessions in a database, shared by several servers. */
package dev.percolate.jdbc;

/** Sessions that several servers share, in a database. */
package dev.percolate.jdbc;

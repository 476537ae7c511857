/** What several servers may share: the stores of sessions, limits and answers. */
package dev.percolate.core.store;

/** Clients, responses and failures as stores see them. */
package dev.percolate.middleware.store;

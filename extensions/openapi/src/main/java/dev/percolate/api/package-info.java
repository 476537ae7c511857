/** Described routes: what they take and answer, as OpenAPI, and checked. */
package dev.percolate.api;

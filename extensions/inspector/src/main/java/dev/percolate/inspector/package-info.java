/** Hot reload, request inspector, error pages and 404 pages for development. */
package dev.percolate.inspector;

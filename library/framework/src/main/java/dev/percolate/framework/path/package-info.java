/** Matching of request paths: routes, mount paths, and an index of many. */
package dev.percolate.framework.path;

/** Applications: middleware, routing, views and settings. */
package dev.percolate.framework;

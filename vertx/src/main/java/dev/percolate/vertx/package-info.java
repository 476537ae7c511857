/** The HTTP engine, on Vert.x core. */
package dev.percolate.vertx;

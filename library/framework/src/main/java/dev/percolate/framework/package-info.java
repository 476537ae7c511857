/** The application: its chain of layers, its routes and what they are matched by. */
package dev.percolate.framework;

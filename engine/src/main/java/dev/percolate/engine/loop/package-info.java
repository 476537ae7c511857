/** What engines with event loops share; for the engines of this project alone. */
package dev.percolate.engine.loop;

/** Code that engines with event loops share. Only for the engines of this project. */
package dev.percolate.engine.loop;

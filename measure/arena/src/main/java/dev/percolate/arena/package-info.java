/** The application for HttpArena. */
@NullMarked
package dev.percolate.arena;

import org.jspecify.annotations.NullMarked;

/** The command that replays recordings. */
@NullMarked
package dev.percolate.replay;

import org.jspecify.annotations.NullMarked;

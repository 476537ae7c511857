/** The development loop: compiles and restarts an application while its sockets stay open. */
package dev.percolate.inspector.reload;

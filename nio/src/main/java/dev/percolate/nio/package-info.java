/** The HTTP engine on the selector of the JDK; step 1 of docs/flow.md. */
package dev.percolate.nio;

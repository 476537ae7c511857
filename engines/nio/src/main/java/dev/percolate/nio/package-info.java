/** The HTTP engine on the JDK's selectors. Step 1 of docs/flow.md. */
package dev.percolate.nio;

/** The HTTP engine on the HTTP server of the JDK. */
package dev.percolate.jdk;

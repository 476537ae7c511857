/** Reads certificates and keys, for engines that speak TLS by the JDK. */
package dev.percolate.engine.tls;

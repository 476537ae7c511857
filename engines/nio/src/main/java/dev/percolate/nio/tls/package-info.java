/** Reads certificates and keys for engines that use the JDK's TLS. */
package dev.percolate.nio.tls;

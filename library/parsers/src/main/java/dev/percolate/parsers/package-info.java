/** Body parsers for JSON, bytes, text and forms. */
package dev.percolate.parsers;

/** The connections of WebSockets, and what they share with event streams. */
package dev.percolate.middleware.socket;

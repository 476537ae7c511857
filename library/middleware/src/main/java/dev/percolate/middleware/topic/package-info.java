/** The listeners of topics, and the messages that they receive; the members of rooms. */
package dev.percolate.middleware.topic;

/** The listeners of topics, and the messages that they receive. */
package dev.percolate.middleware.topic;

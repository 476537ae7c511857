package dev.percolate.core;

/**
 * How an upgraded connection, such as a WebSocket, was closed, with its message and byte counts.
 * Also describes a connection that is still open.
 *
 * @param code the close code, from the client if it closed first; 0 while the connection is open
 * @param reason the close reason, possibly empty
 * @param messagesIn the number of messages received
 * @param messagesOut the number of messages sent
 * @param bytesIn the number of bytes received, including framing
 * @param bytesOut the number of bytes sent, including framing
 */
public record ConnectionSummary(
    int code, String reason, long messagesIn, long messagesOut, long bytesIn, long bytesOut) {}

package dev.percolate.core;

/**
 * How a connection has ended that an answer had handed over to another protocol, such as WebSocket,
 * or how it stands.
 *
 * @param code the code by which it was closed: that of the other side, if that closed first; 0
 *     while it goes on
 * @param reason the text beside the code, perhaps empty
 * @param messagesIn how many messages have come
 * @param messagesOut how many messages were sent
 * @param bytesIn how many bytes have come, framing among them
 * @param bytesOut how many bytes were sent, framing among them
 */
public record Closing(
    int code, String reason, long messagesIn, long messagesOut, long bytesIn, long bytesOut) {}

package dev.percolate.middleware.socket;

import java.time.Duration;

/**
 * The options of the sockets of one handler.
 *
 * @param maxMessageSize the maximum size of a message, in bytes
 * @param maxFrameSize the maximum size of a frame, in bytes
 * @param pingInterval the time without data after which a ping is sent
 * @param idleTimeout the time without data after which the socket is closed
 * @param sendTimeout how long a sender waits for a slow client
 * @param compressed whether messages are compressed
 */
public record SocketOptions(
    long maxMessageSize,
    long maxFrameSize,
    Duration pingInterval,
    Duration idleTimeout,
    Duration sendTimeout,
    boolean compressed) {}

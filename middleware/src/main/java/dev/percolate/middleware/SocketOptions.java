package dev.percolate.middleware;

import java.time.Duration;

/**
 * What holds for each of the sockets of one step.
 *
 * @param maxMessage the most bytes of a message
 * @param maxFrame the most bytes of a frame
 * @param ping after which silence the other side is asked whether it is there
 * @param idle after which silence the socket is closed
 * @param patience how long a sender waits for the other side to take messages
 * @param goodbye how long the other side may take to answer a close
 * @param compressed whether messages are compressed
 */
record SocketOptions(
    long maxMessage,
    long maxFrame,
    Duration ping,
    Duration idle,
    Duration patience,
    Duration goodbye,
    boolean compressed) {}

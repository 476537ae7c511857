package dev.percolate.reliability;

/** The counts of one side of a conversation. */
final class LiveCounts {

  long sent;
  long received;
  long bytesSent;
  long bytesReceived;

  /** Returns messages sent and received, bytes sent and received, separated by tabs. */
  String columns() {
    return "%d\t%d\t%d\t%d".formatted(sent, received, bytesSent, bytesReceived);
  }
}

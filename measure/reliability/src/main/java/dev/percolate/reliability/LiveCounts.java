package dev.percolate.reliability;

/** What one side has sent and received in one conversation. */
final class LiveCounts {

  long sent;
  long received;
  long bytesSent;
  long bytesReceived;

  /** Returns messages sent and received, bytes sent and received, parted by tabs. */
  String columns() {
    return "%d\t%d\t%d\t%d".formatted(sent, received, bytesSent, bytesReceived);
  }
}

package dev.percolate.reliability;

import java.io.IOException;
import java.net.Socket;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * A connection that carries a conversation.
 *
 * @param reader has read the response that began it
 */
record LiveLine(
    Socket socket, FramedResponseReader reader, RequestWriter writer, SplittableRandom random) {

  /** Writes, perhaps on another thread, perhaps in pieces. */
  CompletableFuture<Void> write(byte[] bytes) throws IOException {
    return writer.write(socket, bytes, random.nextInt(8) == 0);
  }

  /** Waits until input is available or the time is over; returns true if there is input. */
  boolean awaitInput(long end) throws IOException {
    while (reader.rest().available() == 0) {
      if (System.nanoTime() - end >= 0) {
        return false;
      }
      RequestWriter.pause(2);
    }
    return true;
  }
}

package dev.percolate.reliability;

import java.io.IOException;
import java.net.Socket;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * A connection on which a conversation is held.
 *
 * @param reader has read the answer that began it
 */
record LiveLine(
    Socket socket, FramedAnswerReader reader, RequestWriter writer, SplittableRandom random) {

  /** Writes, perhaps on another thread, perhaps in pieces. */
  CompletableFuture<Void> write(byte[] bytes) throws IOException {
    return writer.write(socket, bytes, random.nextInt(8) == 0);
  }

  /** Waits until something has come, or the time is over; tells whether something has. */
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

package dev.percolate.nio;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Reserves {@value #COUNT} file descriptors that connections must not take, with sockets that are
 * not connected. When the process has no file descriptor for a new connection, these are released,
 * and no connection is accepted until they can be held again. Until then other code can open files,
 * such as the class loader: a class that it fails to load stays missing. Used on the thread that
 * accepts.
 */
final class SpareFiles {

  private static final int COUNT = 32;

  private final List<SocketChannel> held = new ArrayList<>(COUNT);

  /**
   * Loads the JDK code that closes a socket, because its first use needs file descriptors itself.
   *
   * @throws IOException if the process may not open so many files
   */
  void prepare() throws IOException {
    hold();
    release();
  }

  /**
   * Holds all spare file descriptors.
   *
   * @throws IOException if the process may not open so many files; then none are held
   */
  void hold() throws IOException {
    try {
      while (held.size() < COUNT) {
        held.add(SocketChannel.open());
      }
    } catch (IOException | RuntimeException | Error e) {
      release();
      throw e;
    }
  }

  /** Returns true if all are held. */
  boolean areHeld() {
    return held.size() == COUNT;
  }

  /** Closes all that are held. */
  void release() {
    for (SocketChannel one : held) {
      try {
        one.close();
      } catch (IOException | RuntimeException | Error e) {
        // it was not connected, so nothing is lost; the others must still be closed
      }
    }
    held.clear();
  }
}

package dev.percolate.nio;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Reserves {@value #COUNT} file descriptors with unconnected sockets, so that connections cannot
 * take them. When the process has no file descriptor for a new connection, they are released, and
 * no connection is accepted until they can be reserved again. Until then, other code can open
 * files, such as the class loader: a class that it fails to load stays missing. Used on the
 * acceptor's thread.
 */
final class ReservedDescriptors {

  private static final int COUNT = 32;

  private final List<SocketChannel> held = new ArrayList<>(COUNT);

  /**
   * Loads the JDK code that closes a socket, because its first use needs file descriptors itself.
   *
   * @throws IOException if the process cannot open so many files
   */
  void prepare() throws IOException {
    hold();
    release();
  }

  /**
   * Reserves all spare file descriptors.
   *
   * @throws IOException if the process cannot open so many files; then none are reserved
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

  /** Returns true if all are reserved. */
  boolean areHeld() {
    return held.size() == COUNT;
  }

  /** Releases all. */
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

package dev.percolate.nio;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * File descriptors that connections must not take: {@value #COUNT}, held by sockets that are not
 * connected. When a connection finds none, these are released, and no connection is accepted until
 * they can be held again. So whatever else needs files in the meantime, such as loading a class,
 * which would be missing for ever, gets them. Used on the thread that accepts.
 */
final class SpareFiles {

  private static final int COUNT = 32;

  private final List<SocketChannel> held = new ArrayList<>(COUNT);

  /**
   * Has the JDK load what closes a socket: to do so for the first time it needs files itself.
   *
   * @throws IOException if the process may not open so many files
   */
  void prepare() throws IOException {
    hold();
    release();
  }

  /**
   * Opens those that are not held.
   *
   * @throws IOException if the process may not open so many files; then none is held
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

  /** Returns true if they are held. */
  boolean areHeld() {
    return held.size() == COUNT;
  }

  /** Closes all that are held. */
  void release() {
    for (SocketChannel one : held) {
      try {
        one.close();
      } catch (IOException | RuntimeException | Error e) {
        // it was not connected: nothing is lost, and the others must be closed
      }
    }
    held.clear();
  }
}

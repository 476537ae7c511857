package dev.percolate.reliability;

import java.net.Socket;
import java.net.SocketException;
import java.util.SplittableRandom;

/** How a client ends a connection badly. */
enum Leaving {
  HANG_UP,
  RESET,
  CLOSE_HALF;

  static Leaving drawn(SplittableRandom random) {
    return values()[random.nextInt(values().length)];
  }

  /** Makes the connection end this way when it is closed. */
  void prepare(Socket socket) throws SocketException {
    if (this == RESET) {
      socket.setSoLinger(true, 0);
    }
  }
}

package dev.percolate.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Reads what another process says after a while: a read that blocks a thread of the system. */
final class SlowPipe {

  private SlowPipe() {}

  static String read() throws IOException {
    Process process = new ProcessBuilder("sh", "-c", "sleep 0.5; echo said").start();
    try (InputStream in = process.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}

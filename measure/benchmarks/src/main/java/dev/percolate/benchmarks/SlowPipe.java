package dev.percolate.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Reads from another process that writes after half a second: a read that blocks its thread. */
final class SlowPipe {

  private SlowPipe() {}

  static String read() throws IOException {
    Process process = new ProcessBuilder("sh", "-c", "sleep 0.5; echo said").start();
    try (InputStream in = process.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}

package dev.percolate.benchmarks;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/** A Node process that parses a form with qs repeatedly, one round for each call. */
final class QsOnNode implements AutoCloseable {
  private final Process process;
  private final BufferedReader in;
  private final Writer out;

  /**
   * Starts Node.
   *
   * @param script the script to run
   * @param libraries the package file of the libraries
   * @param grammar extended or simple
   */
  QsOnNode(String script, String libraries, String grammar, String form) throws IOException {
    process =
        new ProcessBuilder("node", script, libraries, grammar, form)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    in = process.inputReader(StandardCharsets.UTF_8);
    out = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** Parses for one round. Returns the CPU microseconds per call. */
  double micros() throws IOException {
    out.write("\n");
    out.flush();
    String line = in.readLine();
    if (line == null) {
      throw new EOFException("Node returned no result");
    }
    return Double.parseDouble(line);
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    in.close();
  }
}

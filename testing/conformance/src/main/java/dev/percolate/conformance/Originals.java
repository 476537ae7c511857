package dev.percolate.conformance;

import dev.percolate.core.JsonCodec;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Node process that runs trials with the original libraries, in batches. */
final class Originals implements AutoCloseable {

  private final Process process;
  private final BufferedWriter out;
  private final BufferedReader in;

  /**
   * Starts the process.
   *
   * @param script the script to run
   * @param libraries the {@code package.json} of the installed libraries
   */
  Originals(Path script, Path libraries) throws IOException {
    process =
        new ProcessBuilder("node", script.toString(), libraries.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    out =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    in =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  void ask(List<Trial> trials) throws IOException {
    List<Object> asked = new ArrayList<>();
    trials.forEach(trial -> asked.add(trial.asMap()));
    out.write(JsonCodec.find().write(asked, JsonCodec.WriteOptions.COMPACT));
    out.write('\n');
    out.flush();
  }

  /** Reads the next {@code count} responses. */
  List<String> answers(int count) throws IOException {
    List<String> answers = new ArrayList<>(count);
    while (answers.size() < count) {
      String line = in.readLine();
      if (line == null) {
        throw new EOFException("the Node process of the originals has ended");
      }
      answers.add(line);
    }
    return answers;
  }

  String answer(Trial trial) throws IOException {
    ask(List.of(trial));
    return answers(1).get(0);
  }

  @Override
  public void close() {
    process.destroy();
  }
}

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

/** A process of Node that answers trials by the original libraries; several trials at a time. */
final class Originals implements AutoCloseable {

  private final Process process;
  private final BufferedWriter out;
  private final BufferedReader in;

  /**
   * Starts the process.
   *
   * @param script what it runs
   * @param libraries the file {@code package.json} beside which the libraries are installed
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
    out.write(JsonCodec.find().write(asked, JsonCodec.Style.COMPACT));
    out.write('\n');
    out.flush();
  }

  /** Returns the next answers, as many as there were trials. */
  List<String> answers(int count) throws IOException {
    List<String> answers = new ArrayList<>(count);
    while (answers.size() < count) {
      String line = in.readLine();
      if (line == null) {
        throw new EOFException("the originals ended");
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

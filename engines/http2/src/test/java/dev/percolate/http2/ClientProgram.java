package dev.percolate.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs clients that are programs; tests that need one that is not on the PATH are skipped. */
final class ClientProgram {

  private ClientProgram() {}

  static String run(String program, String... arguments) throws Exception {
    return run(Path.of("."), program, arguments);
  }

  static String run(Path folder, String program, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(onPath(program)));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said;
  }

  private static String onPath(String program) {
    List<String> found = new ArrayList<>();
    for (String one : String.valueOf(System.getenv("PATH")).split(File.pathSeparator, -1)) {
      Path file = Path.of(one, program);
      if (Files.isExecutable(file)) {
        found.add(file.toString());
      }
    }
    assumeTrue(!found.isEmpty(), program + " is not on the PATH");
    return found.get(0);
  }
}

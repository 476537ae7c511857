package dev.percolate.inspector.reload;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Compiles Kotlin with {@code kotlin-compiler-embeddable}, if it is on the class path. */
final class KotlinCompiler {

  private static final String COMPILER = "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler";

  /** A message with its position, such as {@code e: file:///app/Main.kt:3:5 text}. */
  private static final Pattern MESSAGE =
      Pattern.compile("(?:e: )?(?:file://)?(.+\\.kt):(\\d+):(\\d+):? (?:error: )?(.*)");

  private KotlinCompiler() {}

  /** Returns true if the compiler is on the class path. */
  static boolean isPresent() {
    return KotlinCompiler.class.getClassLoader().getResource(COMPILER.replace('.', '/') + ".class")
        != null;
  }

  /**
   * Compiles Kotlin files.
   *
   * @param sources files, or folders, whose Java classes the files may use
   * @param out the folder for the classes
   * @throws CompileException if there are errors
   */
  static void compile(List<Path> sources, String classPath, Path out) throws CompileException {
    List<String> args = new ArrayList<>(List.of("-no-stdlib", "-no-reflect", "-nowarn"));
    args.addAll(List.of("-java-parameters", "-jvm-target", "17", "-classpath", classPath));
    args.addAll(List.of("-d", out.toString()));
    sources.forEach(source -> args.add(source.toString()));
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    String result;
    try (PrintStream errors = new PrintStream(text, true, StandardCharsets.UTF_8)) {
      Class<?> type = Class.forName(COMPILER);
      Object compiler = type.getConstructor().newInstance();
      result =
          String.valueOf(
              type.getMethod("exec", PrintStream.class, String[].class)
                  .invoke(compiler, errors, args.toArray(String[]::new)));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the Kotlin compiler cannot be called", e);
    }
    if (!result.equals("OK")) {
      throw new CompileException(errors(text.toString(StandardCharsets.UTF_8)));
    }
  }

  /** Returns the errors in the output of the compiler; the whole output if none has a position. */
  private static List<SourceError> errors(String output) {
    List<SourceError> errors = new ArrayList<>();
    for (String line : output.lines().toList()) {
      Matcher message = MESSAGE.matcher(line);
      if (message.matches() && !line.contains(": warning:")) {
        Path file = Path.of(message.group(1)).toAbsolutePath();
        int row = Integer.parseInt(message.group(2));
        int column = Integer.parseInt(message.group(3));
        errors.add(new SourceError(file, row, column, message.group(4)));
      }
    }
    return errors.isEmpty() ? List.of(new SourceError(null, 0, 0, output.strip())) : errors;
  }
}

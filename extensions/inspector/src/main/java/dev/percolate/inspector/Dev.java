package dev.percolate.inspector;

import dev.percolate.core.Settings;
import dev.percolate.inspector.reload.DevLoop;
import dev.percolate.inspector.reload.Project;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Runs an application and reloads it when its files change (hot reload, live reload). The socket
 * stays open: requests that arrive during a restart wait, and the new code responds to them.
 *
 * <pre>
 * java -cp CLASSPATH dev.percolate.inspector.Dev com.example.Main
 * java -cp CLASSPATH dev.percolate.inspector.Dev --sources src/app/java com.example.Main
 * java -cp CLASSPATH dev.percolate.inspector.Dev Main.java
 * </pre>
 *
 * <p>Sources are in {@code src/main/java} and {@code src/main/kotlin}, else in {@code src}, of the
 * working folder, or in the folders that {@code --sources} names, separated like a class path. The
 * compiler of the JDK compiles them in this process; Kotlin needs {@code
 * kotlin-compiler-embeddable} on the class path. The {@code main} of the application is an ordinary
 * one, which calls {@code listen}.
 *
 * <p>Does not run if {@link Settings#processEnv} is {@code production}.
 */
public final class Dev {

  private Dev() {}

  /**
   * Runs the application until the process ends.
   *
   * @param args the options, the main class or source file, and the arguments of its {@code main}
   */
  public static void main(String[] args) {
    if (Settings.processEnv().equals("production")) {
      fail("dev.percolate.inspector.Dev does not run with APP_ENV=production");
    }
    try {
      new DevLoop(Project.of(Path.of(""), args), FailurePage::of, System.out::println).run();
    } catch (IllegalArgumentException | IllegalStateException e) {
      fail(e.getMessage());
    }
  }

  private static void fail(@Nullable String message) {
    System.err.println(message);
    System.exit(2);
  }
}

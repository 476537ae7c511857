package dev.percolate.demo;

import dev.percolate.inspector.Dev;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.chrome.ChromeOptions;

/** The development loop in a browser: an open page shows each edit by itself. */
@Timeout(120)
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
final class ReloadBrowserTest {

  private static final String CLASS = "src/main/java/com/example/Main.java";
  private static final String TEMPLATE = "src/main/resources/views/index.peb";

  private static final String MAIN =
      """
      package com.example;

      import dev.percolate.framework.App;
      import dev.percolate.middleware.SecureHeaders;
      import java.util.Map;

      public final class Main {
        public static void main(String[] args) throws Exception {
          App app = new App();
          app.set("view engine", "peb").set("views", "classpath:/views");
          app.use(SecureHeaders.of());
          app.get("/", (req, res) -> res.render("index", Map.of("id", "one")));
          System.out.println("Listening at " + app.listen("127.0.0.1", 0).uri());
        }
      }
      """;

  private static final String VIEW =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head><meta name="viewport" content="width=device-width"><title>Page</title></head>
      <body><main><h1 id="{{ id }}">Hello</h1></main></body>
      </html>
      """;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1200, 390})
  void anOpenPageShowsEdits(int width) throws Exception {
    ChromeOptions options = new ChromeOptions();
    options.setExperimentalOption(
        "mobileEmulation", Map.of("deviceMetrics", Map.of("width", width, "height", 900)));
    write(CLASS, MAIN);
    write(TEMPLATE, VIEW);
    Process process = start();
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        Chromium chromium = Chromium.start(options)) {
      InspectorPagesTest.Sight sight =
          new InspectorPagesTest.Sight(chromium.driver(), address(output), width);
      sight.opens("/");
      sight.awaits("#one");
      write(TEMPLATE, VIEW.replace("<h1", "<h1 class=\"changed\""));
      sight.awaits("#one.changed");
      write(CLASS, MAIN.replace("\"one\"", "\"two\""));
      sight.awaits("#two.changed");
      write(CLASS, MAIN.replace("\"one\"", "text"));
      sight.awaits("pre.source mark");
      sight.is("compile-error", "cannot find symbol");
      write(CLASS, MAIN.replace("\"one\"", "\"three\""));
      sight.awaits("#three.changed");
    } finally {
      Process ignored = process.destroyForcibly().onExit().join(); // its folder will be deleted
    }
  }

  private void write(String file, String text) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private Process start() throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classPath = System.getProperty("java.class.path");
    List<String> command =
        List.of(java, "-Xmx256m", "-cp", classPath, Dev.class.getName(), "com.example.Main");
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    return builder.redirectErrorStream(true).start();
  }

  private static URI address(BufferedReader output) throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith("Listening at ")) {
        return URI.create(line.substring("Listening at ".length()));
      }
    }
    throw new IOException("the development loop has ended");
  }
}

package dev.percolate.inspector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.openapi.Api;
import dev.percolate.openapi.OpenApi;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** The client of the official TypeScript SDK lists and calls all tools, over a socket. */
@Timeout(300)
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
final class McpClientTest {

  private static final Path CLIENT = Path.of("agents/npm");

  @Test
  void theOfficialClientCallsEachTool() throws Exception {
    assumeTrue(isOnPath("node") && isOnPath("npm"), "Node is not on the PATH");
    if (!Files.isDirectory(CLIENT.resolve("node_modules"))) {
      List<String> ignored = run("npm", "ci", "--no-audit", "--no-fund", "--silent");
    }
    App app = new App().use(Inspector.inDevelopment());
    app.get("/hello", Api.of("Greets"), (req, res) -> res.send("Hello!")).use(OpenApi.of(app));
    try (Server server = app.listen(0)) {
      String url = "http://localhost:" + server.port() + "/_percolate/mcp";
      List<String> lines = run("node", "client.mjs", url);
      assertEquals(14, lines.size(), lines::toString);
      for (String line : lines.subList(0, 12)) {
        assertTrue(line.contains("\"error\":false"), line);
      }
      assertTrue(lines.get(0).startsWith("{\"name\":\"app_map\""), lines.get(0));
      assertTrue(lines.get(0).contains("get     /hello"), lines.get(0));
      assertTrue(
          lines.get(12).contains("\"error\":true,\"text\":\"no request 999999; list"),
          lines.get(12));
      assertTrue(
          lines.get(13).startsWith("{\"server\":\"percolate\",\"protocol\":\"20"), lines.get(13));
    }
  }

  private static List<String> run(String... command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(CLIENT.toFile()).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(120, TimeUnit.SECONDS), out);
    assertEquals(0, process.exitValue(), out);
    return out.lines().toList();
  }

  private static boolean isOnPath(String program) {
    String path = String.valueOf(System.getenv("PATH"));
    return Stream.of(path.split(File.pathSeparator, -1))
        .anyMatch(one -> Files.isExecutable(Path.of(one, program)));
  }
}

package dev.percolate.inspector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecorderTest {

  private final App app = new App().use(Inspector.inDevelopment()).set("env", "production");

  @Test
  void recordingsContainRequestsAndStepsInProduction(@TempDir Path folder) throws Exception {
    app.use((req, res, next) -> next.run());
    app.get("/u/:id", (req, res) -> res.send("x"));
    Path file = folder.resolve("steps.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("dev.percolate.Step");
      recording.enable("dev.percolate.Request");
      recording.start();
      assertEquals("x", Call.get("/u/7").to(app).text());
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> events = RecordingFile.readAllEvents(file);
    Files.delete(file);
    List<String> layers =
        events.stream()
            .filter(event -> event.getEventType().getName().equals("dev.percolate.Step"))
            .map(event -> event.getString("layer"))
            .sorted()
            .toList();
    assertEquals(List.of("layer 2, use /", "layer 3, get /u/:id"), layers);
    List<String> routes =
        events.stream()
            .filter(event -> event.getEventType().getName().equals("dev.percolate.Request"))
            .map(event -> event.getString("method") + " " + event.getString("route"))
            .toList();
    assertEquals(List.of("GET /u/:id"), routes);
  }
}

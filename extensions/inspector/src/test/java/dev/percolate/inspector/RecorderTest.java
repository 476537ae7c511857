package dev.percolate.inspector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import java.io.IOException;
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

  @TempDir Path folder;

  @Test
  void recordingsContainRequestsAndStepsInProduction() throws Exception {
    app.use((req, res, next) -> next.run());
    List<RecordedEvent> events = events("dev.percolate.Step", "dev.percolate.Request");
    List<String> layers =
        events.stream()
            .filter(event -> event.getEventType().getName().equals("dev.percolate.Step"))
            .map(event -> event.getString("layer"))
            .sorted()
            .toList();
    assertEquals(List.of("layer 2, use /", "layer 3, get /u/:id"), layers);
    assertEquals(List.of("GET /u/:id"), routes(events));
  }

  @Test
  void requestsAreRecordedWithoutSteps() throws Exception {
    assertEquals(List.of("GET /u/:id"), routes(events("dev.percolate.Request")));
  }

  /** Returns the events of a request. */
  private List<RecordedEvent> events(String... enabled) throws IOException {
    app.get("/u/:id", (req, res) -> res.send("x"));
    Path file = folder.resolve("steps.jfr");
    try (Recording recording = new Recording()) {
      for (String name : enabled) {
        recording.enable(name);
      }
      recording.start();
      assertEquals("x", Call.get("/u/7").to(app).text());
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> events = RecordingFile.readAllEvents(file);
    Files.delete(file);
    return events;
  }

  private static List<String> routes(List<RecordedEvent> events) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals("dev.percolate.Request"))
        .map(event -> event.getString("method") + " " + event.getString("route"))
        .toList();
  }
}

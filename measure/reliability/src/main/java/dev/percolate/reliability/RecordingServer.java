package dev.percolate.reliability;

import dev.percolate.engine.ListenOptions;
import dev.percolate.framework.App;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.replay.Recorder;
import java.io.IOException;
import java.nio.file.Path;

/** A server that records its requests if the system property {@code recording} names a file. */
final class RecordingServer {

  private RecordingServer() {}

  public static void main(String[] args) throws IOException {
    App app = new App().set("etag", false);
    String recording = System.getProperty("recording");
    if (recording != null) {
      double sample = Double.parseDouble(System.getProperty("sample"));
      app.use(Recorder.to(Path.of(recording)).sample(sample).maxSize("10gb"));
    }
    app.get("/plaintext", (req, res) -> res.type("text/plain").send("Hello, World!"));
    app.post("/echo", BodyParsers.json(), (req, res) -> res.json(req.body()));
    ListenOptions options = ListenOptions.ofPort(Integer.getInteger("port", 8080));
    System.out.println("ready " + app.listen(options.host("127.0.0.1")).uri());
  }
}

package dev.percolate.reliability;

import dev.percolate.core.Handler;
import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.multipart.Multipart;
import dev.percolate.parsers.BodyParsers;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;

/**
 * Reads uploads in each way that a handler supports; {@code reliability/uploads} starts it.
 *
 * <p>System properties: {@code port}, {@code threads} the thread mode.
 */
final class UploadsServer {

  private static final long MOST = 1L << 31;

  private UploadsServer() {}

  /**
   * Serves until the process is stopped.
   *
   * @param args none
   */
  public static void main(String[] args) throws Exception {
    App app = new App();
    Map<String, Handler> ways =
        Map.of(
            "/read", (req, res) -> res.send(Long.toString(read(req.inputStream(MOST), 0))),
            "/pause", (req, res) -> res.send(Long.toString(read(req.inputStream(MOST), 5))),
            "/all",
                (req, res) ->
                    res.send(Integer.toString(req.inputStream(MOST).readAllBytes().length)),
            "/transfer",
                (req, res) -> {
                  OutputStream nothing = OutputStream.nullOutputStream();
                  res.send(Long.toString(req.inputStream(MOST).transferTo(nothing)));
                });
    ways.forEach(app::post);
    app.post(
        "/raw",
        BodyParsers.raw().limit("2mb"),
        (req, res) -> res.send(Integer.toString(((byte[]) req.body()).length)));
    app.post(
        "/form",
        Multipart.files(),
        (req, res) -> res.send(Integer.toString(req.attr(Multipart.FILES).size())));
    app.post("/json", BodyParsers.json(), (req, res) -> res.send("json"));
    app.get(
        "/memory",
        (req, res) -> {
          BodyMemory memory = BodyMemory.ofProcess();
          res.send(
              memory.held()
                  + " "
                  + memory.maxHeld()
                  + " "
                  + memory.waiting()
                  + " "
                  + memory.budget());
        });
    Server server =
        app.listen(
            ListenOptions.ofPort(Integer.getInteger("port", 8080))
                .threads(System.getProperty("threads", "virtual"))
                .http2PriorKnowledge(true));
    System.out.println("ready " + server.uri());
  }

  private static long read(InputStream body, long pause) throws Exception {
    byte[] buffer = new byte[64 << 10];
    long all = 0;
    for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
      all += count;
      if (pause > 0) {
        Thread.sleep(pause);
      }
    }
    return all;
  }
}

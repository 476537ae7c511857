package dev.percolate.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.nio.NioEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Methods are case-sensitive over HTTP/2, too (RFC 9110 section 9.1). */
@Timeout(30)
final class MethodCaseTest {

  @Test
  void aGuardSeesTheMethodsThatRoutesMatch() throws Exception {
    App app = new App();
    app.use(
        (req, res, next) -> {
          if (req.method().equals("POST")) {
            throw new HttpError(403, "guarded");
          }
          next.run();
        });
    app.post("/x", (req, res) -> res.send("changed"));
    app.use("/method", (req, res) -> res.end(req.method()));
    ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1").http2PriorKnowledge(true);
    try (Server server = new NioEngine().listen(app, options);
        FrameClient client = FrameClient.open(server.port())) {
      int stream = 1;
      for (String method : new String[] {"POST", "post", "Post", "pOST"}) {
        String expected = method.equals("POST") ? "403" : "404";
        assertEquals(expected, send(client, stream, method, "/x").substring(0, 3), method);
        stream += 2;
      }
      for (String method : new String[] {"get", "head", "Head", "options"}) {
        assertEquals("200 " + method, send(client, stream, method, "/method"));
        stream += 2;
      }
    }
  }

  private static String send(FrameClient client, int stream, String method, String path)
      throws Exception {
    client.headers(stream, FrameType.END_STREAM, FrameClient.request(method, path));
    return client.answer(stream);
  }
}

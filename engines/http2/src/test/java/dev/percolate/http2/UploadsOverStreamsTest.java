package dev.percolate.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.nio.NioEngine;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Uploads on one connection that do not fit in the memory for bodies. */
@Timeout(60)
class UploadsOverStreamsTest {

  private static final int LENGTH = 150_000;
  private static final int UPLOADS = 12;

  /** The bytes that a client may send on each stream before a handler reads it. */
  private static final String FIRST = "x".repeat(8_000);

  private final BodyMemory memory = BodyMemory.of("1mb");

  private Server serve(Handler handler) throws IOException {
    ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1").http2PriorKnowledge(true);
    return new NioEngine()
        .listen(Chain.service(new Settings(), handler), options.bodyMemory(memory));
  }

  private static void begin(FrameClient client, int stream) throws IOException {
    String length = Integer.toString(LENGTH);
    client.headers(stream, 0, FrameClient.request("POST", "/", "content-length", length));
    client.data(stream, false, FIRST);
  }

  private static long read(InputStream body) throws IOException {
    byte[] buffer = new byte[1000];
    long all = 0;
    for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
      all += count;
    }
    return all;
  }

  @Test
  void streamsWithoutRoomKeepNoOtherStreamWaiting() throws Exception {
    Handler collecting = (req, res) -> res.end(req.inputStream().readAllBytes().length + " bytes");
    try (Server server = serve(collecting);
        FrameClient client = FrameClient.open(server.port())) {
      for (int i = 0; i < UPLOADS; i++) {
        begin(client, 1 + 2 * i);
      }
      while (memory.waiting() < UPLOADS - 3) { // three fit
        Thread.sleep(10);
      }
      for (int stream = 101; stream < 121; stream += 2) {
        client.headers(stream, 0, FrameClient.request("POST", "/"));
        client.data(stream, true, "little");
        assertEquals("200 6 bytes", client.answer(stream));
      }
      assertTrue(memory.maxHeld() <= memory.budget(), memory::toString);
    }
  }

  @Test
  void aStreamThatIsReadGoesOnWhileOthersHaveNoRoom() throws Exception {
    Handler handler =
        (req, res) -> {
          if (req.path().equals("/read")) {
            res.end("read " + read(req.inputStream()));
          } else {
            res.end(req.inputStream().readAllBytes().length + " bytes");
          }
        };
    try (Server server = serve(handler);
        FrameClient client = FrameClient.open(server.port())) {
      for (int i = 0; i < UPLOADS; i++) {
        begin(client, 1 + 2 * i);
      }
      while (memory.waiting() < UPLOADS - 3) {
        Thread.sleep(10);
      }
      client.headers(101, 0, FrameClient.request("POST", "/read"));
      client.data(101, true, FIRST);
      assertEquals("200 read 8000", client.answer(101));
    }
  }
}

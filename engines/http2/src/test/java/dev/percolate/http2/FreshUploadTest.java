package dev.percolate.http2;

import static dev.percolate.http2.FrameClient.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that clients send as the first request of a connection, before they read anything. */
@Timeout(60)
final class FreshUploadTest {

  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    server = TestServer.start();
  }

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 60_000, 65_535, 65_536, 70 << 10, 100_000, 500_000, 2_000_000})
  void aClientThatTakesASmallerWindowForAnErrorUploadsAnySize(int size) throws IOException {
    try (StrictUploader client = new StrictUploader(server.port())) {
      assertEquals("200 " + size, client.upload(1, size));
      assertEquals("200 " + size, client.upload(3, size));
    }
  }

  @Test
  void streamsThatNoHandlerReadsDoNotKeepAnotherFromItsBody() throws IOException {
    try (StrictUploader client = new StrictUploader(server.port())) {
      for (int stream = 1; stream < 2 * Streams.MOST - 1; stream += 2) {
        client.fill(stream, "/never");
      }
      assertEquals("200 2000000", client.upload(2 * Streams.MOST - 1, 2_000_000));
    }
  }

  @Test
  void allStreamsThatNoHandlerReadsFitTheWindowOfTheConnection() {
    int unread = Streams.MOST * PeerSettings.WINDOW;
    assertTrue(unread < Streams.WINDOW - Streams.RETURNED, unread + " bytes");
  }

  /**
   * A client that sends as much as its windows allow and only then reads a frame, as Python's
   * httpcore library does: {@code while flow == 0} it waits, and a negative window is an error.
   */
  private static final class StrictUploader implements AutoCloseable {

    private final FrameClient frames;
    private final Map<Integer, Long> windows = new HashMap<>();
    private long connection = PeerSettings.WINDOW;
    private int initial = PeerSettings.WINDOW;

    StrictUploader(int port) throws IOException {
      frames = FrameClient.connect(port);
      frames.raw(FrameClient.PREFACE).settings();
    }

    /** Sends a request with a body; returns its response. */
    String upload(int stream, int size) throws IOException {
      begin(stream, "/length");
      for (int left = size; left > 0; ) {
        int count = (int) Math.min(left, awaitFlow(stream));
        send(stream, count, false);
        left -= count;
      }
      send(stream, 0, true);
      return response(stream);
    }

    private String response(int stream) throws IOException {
      StringBuilder text = new StringBuilder();
      boolean over = false;
      while (!over) {
        Frame frame = frames.next();
        if (frame != null && frame.stream() == stream && frame.type() == FrameType.HEADERS) {
          text.append(frame.status()).append(' ');
        } else if (frame != null && frame.type() == FrameType.DATA) {
          text.append(new String(frame.payload(), StandardCharsets.US_ASCII));
        } else {
          receive(frame);
        }
        over = frame != null && frame.stream() == stream && frame.endsStream();
      }
      return text.toString();
    }

    /** Sends as much of a body as the initial window of the stream allows. */
    void fill(int stream, String path) throws IOException {
      begin(stream, path);
      while (window(stream) > 0) {
        send(stream, (int) Math.min(window(stream), awaitFlow(stream)), false);
      }
    }

    private void begin(int stream, String path) throws IOException {
      windows.put(stream, (long) initial);
      frames.headers(stream, 0, request("POST", path));
    }

    private void send(int stream, int count, boolean ends) throws IOException {
      frames.frame(FrameType.DATA, ends ? FrameType.END_STREAM : 0, stream, new byte[count]);
      windows.merge(stream, (long) -count, Long::sum);
      connection -= count;
    }

    private long awaitFlow(int stream) throws IOException {
      long flow = flow(stream);
      while (flow == 0) {
        receive(frames.next());
        flow = flow(stream);
      }
      assertTrue(flow > 0, "Cannot send 0 bytes, flow control window is " + flow);
      return flow;
    }

    private long flow(int stream) {
      return Math.min(FrameType.MOST, Math.min(window(stream), connection));
    }

    private long window(int stream) {
      return windows.getOrDefault(stream, 0L);
    }

    private void receive(@Nullable Frame frame) throws IOException {
      assertNotNull(frame, "the server has closed the connection");
      List<Integer> known = List.of(FrameType.SETTINGS, FrameType.WINDOW_UPDATE);
      assertTrue(known.contains(frame.type()), frame::toString);
      if (frame.type() == FrameType.WINDOW_UPDATE && frame.stream() == 0) {
        connection += frame.number(0);
      } else if (frame.type() == FrameType.WINDOW_UPDATE) {
        windows.merge(frame.stream(), (long) frame.number(0), Long::sum);
      } else if ((frame.flags() & FrameType.ACK) == 0) {
        set(frame.payload());
        frames.frame(FrameType.SETTINGS, FrameType.ACK, 0);
      }
    }

    private void set(byte[] settings) {
      for (int at = 0; at < settings.length; at += 6) {
        ByteBuffer one = ByteBuffer.wrap(settings, at, 6);
        int name = one.getShort();
        int value = one.getInt();
        if (name == PeerSettings.INITIAL_WINDOW_SIZE) {
          int by = value - initial;
          initial = value;
          windows.replaceAll((stream, window) -> window + by);
        }
      }
    }

    @Override
    public void close() throws IOException {
      frames.close();
    }
  }
}

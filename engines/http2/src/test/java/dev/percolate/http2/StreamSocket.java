package dev.percolate.http2;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of a WebSocket on one stream (RFC 8441). Frames of other streams are ignored.
 */
final class StreamSocket {

  static final String[] NO_LINES = {};

  private static final int MASK = 0x37FA213D;
  private static final int TEXT = 1;
  private static final int CLOSE = 8;

  private final FrameClient client;
  private final int stream;
  private byte[] come = {};
  private boolean ended;

  private StreamSocket(FrameClient client, int stream) {
    this.client = client;
    this.stream = stream;
  }

  /**
   * Requests a socket.
   *
   * @param more further headers: a name, its value, the next name, and so on
   */
  static StreamSocket ask(FrameClient client, int stream, String path, String... more)
      throws IOException {
    List<String> lines = new ArrayList<>(List.of(":protocol", "websocket"));
    lines.addAll(List.of("sec-websocket-version", "13"));
    lines.addAll(List.of(more));
    byte[] request = FrameClient.request("CONNECT", path, lines.toArray(NO_LINES));
    client.headers(stream, 0, request);
    return new StreamSocket(client, stream);
  }

  /** Opens a socket, and waits until it is open. */
  static StreamSocket open(FrameClient client, int stream, String path, String... more)
      throws IOException {
    StreamSocket socket = ask(client, stream, path, more);
    Frame head = client.awaitHead(stream);
    if (!head.status().equals("200") || head.endsStream()) {
      throw new AssertionError("no socket has begun: " + head);
    }
    return socket;
  }

  StreamSocket send(String text) throws IOException {
    return frame(TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  StreamSocket close(int code) throws IOException {
    return frame(CLOSE, new byte[] {(byte) (code >> 8), (byte) code});
  }

  StreamSocket frame(int opcode, byte... payload) throws IOException {
    ByteBuffer frame = dev.percolate.http.Frame.masked(opcode, true, false, MASK, payload);
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    return raw(bytes, false);
  }

  StreamSocket raw(byte[] bytes, boolean last) throws IOException {
    client.frame(FrameType.DATA, last ? FrameType.END_STREAM : 0, stream, bytes);
    return this;
  }

  /**
   * Waits for the next frame of the server.
   *
   * @return opcode and payload, such as {@code 1 hello}; that of a close is its code; {@code end}
   *     or {@code reset} if there is none
   */
  String next() throws IOException {
    String found = takeFrame();
    while (found == null && !ended) {
      Frame frame =
          client.await(
              "more of " + stream,
              one ->
                  one.stream() == stream
                      && (one.type() == FrameType.DATA || one.type() == FrameType.RST_STREAM));
      if (frame.type() == FrameType.RST_STREAM) {
        return "reset " + frame.number(0);
      }
      ended = frame.endsStream();
      int before = come.length;
      come = Arrays.copyOf(come, before + frame.payload().length);
      System.arraycopy(frame.payload(), 0, come, before, frame.payload().length);
      found = takeFrame();
    }
    return found == null ? "end" : found;
  }

  /** Removes a frame from the received bytes; no test has one longer than 64 KiB. */
  private @Nullable String takeFrame() {
    ByteBuffer in = ByteBuffer.wrap(come);
    if (in.remaining() < (come.length > 1 && come[1] == 126 ? 4 : 2)) {
      return null;
    }
    int opcode = in.get() & 0xf;
    int length = in.get();
    if (length == 126) {
      length = in.getShort() & 0xffff;
    }
    if (in.remaining() < length) {
      return null;
    }
    String payload =
        opcode == CLOSE && length >= 2
            ? Integer.toString(in.getShort(in.position()) & 0xffff)
            : new String(come, in.position(), length, StandardCharsets.UTF_8);
    come = Arrays.copyOfRange(come, in.position() + length, come.length);
    return opcode + " " + payload;
  }
}

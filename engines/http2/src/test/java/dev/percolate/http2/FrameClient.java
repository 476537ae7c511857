package dev.percolate.http2;

import dev.percolate.http.Headers;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hc.core5.http2.hpack.HPackDecoder;
import org.apache.hc.core5.http2.hpack.HPackException;
import org.jspecify.annotations.Nullable;

/** A client that sends given frames, even invalid ones, and reads the frames of the server. */
final class FrameClient implements AutoCloseable {

  static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final int PATIENCE = 10_000;

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;
  private final HPackDecoder decoder = new HPackDecoder(4096, StandardCharsets.US_ASCII);
  private final ByteArrayOutputStream block = new ByteArrayOutputStream();
  private final List<Frame> seen = new ArrayList<>();

  private FrameClient(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE);
    in = new DataInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  /** Connects without sending anything. */
  static FrameClient connect(int port) throws IOException {
    return new FrameClient(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  /** Creates a client on a connection for which HTTP/2 was negotiated. */
  static FrameClient over(Socket socket) throws IOException {
    return new FrameClient(socket);
  }

  /** Connects, and sends the client preface. */
  static FrameClient open(int port, int... settings) throws IOException {
    FrameClient client = connect(port);
    client.begin(settings);
    return client;
  }

  /** Sends the client preface, and acknowledges the settings of the server. */
  FrameClient begin(int... settings) throws IOException {
    raw(PREFACE);
    settings(settings);
    Frame frame = next();
    if (frame == null || frame.type() != FrameType.SETTINGS) {
      throw new AssertionError("no settings, but " + frame);
    }
    return frame(FrameType.SETTINGS, FrameType.ACK, 0);
  }

  FrameClient raw(byte... bytes) throws IOException {
    out.write(bytes);
    return this;
  }

  /** Sends a frame with a payload. */
  FrameClient frame(int type, int flags, int stream, byte... payload) throws IOException {
    return raw(bytes(type, flags, stream, payload));
  }

  static byte[] bytes(int type, int flags, int stream, byte... payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .put((byte) (payload.length >> 16))
        .putShort((short) payload.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  FrameClient settings(int... pairs) throws IOException {
    ByteBuffer payload = ByteBuffer.allocate(pairs.length * 3);
    for (int i = 0; i < pairs.length; i += 2) {
      payload.putShort((short) pairs[i]).putInt(pairs[i + 1]);
    }
    return frame(FrameType.SETTINGS, 0, 0, payload.array());
  }

  /** Sends headers that end the request. */
  FrameClient get(int stream, String path) throws IOException {
    return headers(stream, FrameType.END_STREAM, request("GET", path));
  }

  /** Sends headers in one frame, with END_HEADERS. */
  FrameClient headers(int stream, int flags, byte... lines) throws IOException {
    return frame(FrameType.HEADERS, flags | FrameType.END_HEADERS, stream, lines);
  }

  FrameClient data(int stream, boolean ends, String text) throws IOException {
    byte[] payload = text.getBytes(StandardCharsets.ISO_8859_1);
    return frame(FrameType.DATA, ends ? FrameType.END_STREAM : 0, stream, payload);
  }

  FrameClient open(int stream, int increment) throws IOException {
    return frame(FrameType.WINDOW_UPDATE, 0, stream, four(increment));
  }

  FrameClient reset(int stream) throws IOException {
    return frame(FrameType.RST_STREAM, 0, stream, four(ErrorCode.CANCEL));
  }

  static byte[] four(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  /** Returns the lines of a request, encoded without a table. */
  static byte[] request(String method, String path, String... more) {
    String[] lines = new String[8 + more.length];
    String[] begin = {
      ":method", method, ":scheme", "http", ":path", path, ":authority", "localhost"
    };
    System.arraycopy(begin, 0, lines, 0, 8);
    System.arraycopy(more, 0, lines, 8, more.length);
    return lines(lines);
  }

  /** Encodes lines without a table: a name, its value, the next name, and so on. */
  static byte[] lines(String... namesAndValues) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      all.write(0);
      text(all, namesAndValues[i]);
      text(all, namesAndValues[i + 1]);
    }
    return all.toByteArray();
  }

  private static void text(ByteArrayOutputStream to, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    int rest = bytes.length - 127;
    to.write(Math.min(127, bytes.length));
    if (rest >= 0) {
      for (; rest >= 128; rest >>= 7) {
        to.write((rest & 127) | 128);
      }
      to.write(rest);
    }
    to.writeBytes(bytes);
  }

  /** Returns the next frame; null if the server has ended the connection. */
  @Nullable Frame next() throws IOException {
    try {
      int first = in.readInt();
      byte[] payload = new byte[first >>> 8];
      int type = first & 0xff;
      int flags = in.readUnsignedByte();
      int stream = in.readInt();
      in.readFully(payload);
      Frame frame = new Frame(type, flags, stream, payload, decode(type, flags, payload));
      seen.add(frame);
      return frame;
    } catch (EOFException | SocketException e) {
      return null;
    }
  }

  private Headers decode(int type, int flags, byte[] payload) {
    Headers lines = new Headers();
    if (type != FrameType.HEADERS && type != FrameType.CONTINUATION) {
      return lines;
    }
    block.writeBytes(payload);
    if ((flags & FrameType.END_HEADERS) != 0) {
      try {
        decoder
            .decodeHeaders(ByteBuffer.wrap(block.toByteArray()))
            .forEach(line -> lines.addReceived(line.getName(), line.getValue()));
      } catch (HPackException e) {
        throw new AssertionError(e);
      }
      block.reset();
    }
    return lines;
  }

  /** Returns the next frame that matches; fails if there is none. */
  Frame await(String what, Predicate<Frame> wanted) throws IOException {
    for (Frame frame = next(); frame != null; frame = next()) {
      if (wanted.test(frame)) {
        return frame;
      }
    }
    throw new AssertionError("closed without " + what + ": " + seen);
  }

  Frame awaitReset(int stream) throws IOException {
    return await(
        "a reset of " + stream,
        frame -> frame.type() == FrameType.RST_STREAM && frame.stream() == stream);
  }

  Frame awaitGoAway() throws IOException {
    return await("GOAWAY", frame -> frame.type() == FrameType.GOAWAY);
  }

  /** Returns the head of a response, including 1xx. */
  Frame awaitHead(int stream) throws IOException {
    return await(
        "the head of " + stream,
        frame -> frame.type() == FrameType.HEADERS && frame.stream() == stream);
  }

  /** Returns status code and body of a response, such as {@code 200 hello}. */
  String answer(int stream) throws IOException {
    Frame head = awaitHead(stream);
    while (head.status().startsWith("1")) {
      head = awaitHead(stream);
    }
    StringBuilder text = new StringBuilder(head.status());
    Frame frame = head;
    while (!frame.endsStream()) {
      frame = await("the end of " + stream, more -> more.stream() == stream);
      if (frame.type() == FrameType.RST_STREAM) {
        return text + " reset " + frame.number(0);
      }
      if (frame.type() == FrameType.DATA) {
        text.append(text.indexOf(" ") < 0 ? " " : "");
        text.append(new String(frame.payload(), StandardCharsets.ISO_8859_1));
      }
    }
    return text.toString();
  }

  /** Returns true if the server responds to a PING. */
  boolean isAlive() throws IOException {
    frame(FrameType.PING, 0, 0, new byte[] {1, 2, 3, 4, 5, 6, 7, 9});
    Frame pong = next();
    while (pong != null && !(pong.type() == FrameType.PING && pong.payload()[7] == 9)) {
      pong = next();
    }
    return pong != null;
  }

  InputStream input() {
    return in;
  }

  /** Ends the output of this side. */
  void shutdownOutput() throws IOException {
    socket.shutdownOutput();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

package dev.percolate.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.percolate.fixtures.FrontServer;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One connection of a gateway: one thread passes requests on, another passes responses back. */
final class GatewayConnection implements AutoCloseable {

  private static final int PIECE = 8 << 10;

  private final Socket client;
  private final int port;
  private final InputStream in;
  private final OutputStream out;
  private @Nullable FrameClient server;

  // Guarded by this.
  private long window = PeerSettings.WINDOW;
  private long streamWindow;
  private final int initial = PeerSettings.WINDOW;
  private int stream = -1;
  private boolean headOnly;
  private boolean requestEnded;
  private boolean answered;
  private boolean tunnel;
  private boolean asksForTunnel;
  private @Nullable String protocol;
  private boolean closes;
  private boolean chunked;
  private long left;

  /**
   * The head of a request.
   *
   * @param lines a name, its value, the next name, and so on
   */
  private record Head(String method, String target, List<String> lines) {

    @Nullable String get(String name) {
      for (int i = 0; i < lines.size(); i += 2) {
        if (lines.get(i).equalsIgnoreCase(name)) {
          return lines.get(i + 1);
        }
      }
      return null;
    }

    boolean has(String name, String value) {
      String found = get(name);
      return found != null && found.toLowerCase(Locale.ROOT).contains(value);
    }
  }

  GatewayConnection(Socket client, int port) throws IOException {
    this.client = client;
    this.port = port;
    client.setTcpNoDelay(true);
    client.setReceiveBufferSize(64 << 10);
    client.setSendBufferSize(64 << 10);
    in = new BufferedInputStream(client.getInputStream());
    out = client.getOutputStream();
  }

  /** Passes requests on until the client has disconnected. */
  void run() {
    try {
      FrameClient opened = FrameClient.open(port);
      server = opened;
      FrontServer.start(() -> passBack(opened));
      boolean more = true;
      while (more) {
        Head head = readHead();
        more = head != null && pass(opened, head);
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      // the client or the server has disconnected
    } finally {
      leave();
    }
  }

  private void leave() {
    FrameClient opened = server;
    try {
      synchronized (this) {
        if (opened != null && stream > 0 && !answered) {
          opened.reset(stream);
        }
      }
    } catch (IOException e) {
      // the connection to the server has ended
    }
    close();
  }

  private @Nullable Head readHead() throws IOException {
    String line = readLine();
    if (line == null) {
      return null;
    }
    String[] words = line.split(" ", -1);
    List<String> lines = new ArrayList<>();
    for (String next = readLine(); next != null && !next.isEmpty(); next = readLine()) {
      int colon = next.indexOf(':');
      lines.add(next.substring(0, colon));
      lines.add(next.substring(colon + 1).strip());
    }
    return new Head(words[0], words[1], lines);
  }

  private @Nullable String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        return null;
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  /** Passes one request on; returns true if another may follow. */
  private boolean pass(FrameClient opened, Head head) throws IOException, InterruptedException {
    boolean inChunks = head.has("Transfer-Encoding", "chunked");
    String length = head.get("Content-Length");
    boolean framed = inChunks || length != null;
    String upgrade = framed || !head.has("Connection", "upgrade") ? null : head.get("Upgrade");
    boolean body = inChunks || (length != null && !length.equals("0"));
    synchronized (this) {
      stream += 2;
      streamWindow = initial;
      headOnly = head.method.equals("HEAD");
      answered = false;
      requestEnded = !body && upgrade == null;
      asksForTunnel = upgrade != null;
      protocol = upgrade;
      closes = head.has("Connection", "close");
      byte[] lines = FrameClient.lines(lines(head, upgrade));
      opened.headers(stream, requestEnded ? FrameType.END_STREAM : 0, lines);
    }
    if (upgrade != null) {
      awaitResponse(true);
      if (tunnel) {
        passAll(opened);
        return false;
      }
    } else if (inChunks) {
      passChunks(opened);
    } else if (body && length != null) {
      passSome(opened, Long.parseLong(length), true);
    }
    awaitResponse(false);
    return !closes;
  }

  private static String[] lines(Head head, @Nullable String upgrade) {
    List<String> all = new ArrayList<>();
    all.addAll(List.of(":method", upgrade == null ? head.method : "CONNECT"));
    all.addAll(List.of(":scheme", "http", ":path", head.target));
    String host = head.get("Host");
    all.addAll(List.of(":authority", host == null ? "" : host));
    if (upgrade != null) {
      all.addAll(List.of(":protocol", upgrade));
    }
    List<String> dropped = List.of("connection", "upgrade", "transfer-encoding", "keep-alive");
    for (int i = 0; i < head.lines.size(); i += 2) {
      String name = head.lines.get(i).toLowerCase(Locale.ROOT);
      if (!dropped.contains(name)) {
        all.addAll(List.of(name, head.lines.get(i + 1)));
      }
    }
    return all.toArray(new String[0]);
  }

  private void passChunks(FrameClient opened) throws IOException, InterruptedException {
    for (int size = chunk(); size > 0; size = chunk()) {
      passSome(opened, size, false);
      String ignored = readLine();
    }
    for (String line = readLine(); line != null && !line.isEmpty(); ) {
      line = readLine();
    }
    send(opened, new byte[0], true);
  }

  private int chunk() throws IOException {
    String line = readLine();
    if (line == null) {
      throw new EOFException();
    }
    return Integer.parseInt(line, 16);
  }

  private void passSome(FrameClient opened, long count, boolean ends)
      throws IOException, InterruptedException {
    byte[] piece = new byte[PIECE];
    for (long rest = count; rest > 0; ) {
      int some = in.read(piece, 0, (int) Math.min(PIECE, rest));
      if (some < 0) {
        throw new EOFException();
      }
      rest -= some;
      send(opened, Arrays.copyOf(piece, some), ends && rest == 0);
    }
  }

  private void passAll(FrameClient opened) throws IOException, InterruptedException {
    byte[] piece = new byte[PIECE];
    for (int some = in.read(piece); some >= 0; some = in.read(piece)) {
      send(opened, Arrays.copyOf(piece, some), false);
    }
    send(opened, new byte[0], true);
    awaitIt(false);
  }

  /** Sends a chunk of a body, if the server still reads it. */
  private synchronized void send(FrameClient opened, byte[] piece, boolean ends)
      throws IOException, InterruptedException {
    while (!answered && piece.length > 0 && Math.min(window, streamWindow) < piece.length) {
      wait();
    }
    if (!answered) {
      window -= piece.length;
      streamWindow -= piece.length;
      requestEnded |= ends;
      opened.frame(FrameType.DATA, ends ? FrameType.END_STREAM : 0, stream, piece);
    }
  }

  /** Waits for the response, and checks in the meantime whether the client is still connected. */
  private void awaitResponse(boolean orTunnel) throws IOException, InterruptedException {
    in.mark(1);
    if (in.read() < 0) {
      throw new EOFException();
    }
    in.reset();
    awaitIt(orTunnel);
  }

  private synchronized void awaitIt(boolean orTunnel) throws InterruptedException {
    while (!answered && !(orTunnel && tunnel)) {
      wait();
    }
  }

  /** Passes responses back until the server has disconnected. */
  private void passBack(FrameClient opened) {
    try {
      for (Frame frame = opened.next(); frame != null; frame = opened.next()) {
        switch (frame.type()) {
          case FrameType.WINDOW_UPDATE -> open(frame);
          case FrameType.HEADERS -> head(frame);
          case FrameType.DATA -> data(opened, frame);
          case FrameType.RST_STREAM -> reset(frame);
          default -> {}
        }
      }
    } catch (IOException e) {
      // one side has disconnected
    }
    close();
  }

  private synchronized void open(Frame frame) {
    if (frame.stream() == 0) {
      window += frame.number(0);
    } else if (frame.stream() == stream) {
      streamWindow += frame.number(0);
    }
    notifyAll();
  }

  private void head(Frame frame) throws IOException {
    String status = frame.status();
    StringBuilder text = new StringBuilder("HTTP/1.1 ");
    boolean switches = asksForTunnel && status.equals("200");
    text.append(switches ? "101" : status).append(" x\r\n");
    frame
        .headers()
        .forEach(
            (name, value) -> {
              if (!name.startsWith(":")) {
                text.append(name).append(": ").append(value).append("\r\n");
              }
            });
    String length = frame.headers().get("content-length");
    boolean bodyless = headOnly || status.equals("204") || status.equals("304");
    if (switches) {
      text.append("Connection: Upgrade\r\nUpgrade: ").append(protocol).append("\r\n");
    } else if (!status.equals("100")) {
      chunked = length == null && !bodyless;
      left = length == null || bodyless ? 0 : Long.parseLong(length);
      text.append(chunked ? "Transfer-Encoding: chunked\r\n" : "");
    }
    out.write(text.append("\r\n").toString().getBytes(ISO_8859_1));
    synchronized (this) {
      tunnel |= switches;
      notifyAll();
    }
    if (frame.endsStream()) {
      end();
    }
  }

  private void data(FrameClient opened, Frame frame) throws IOException {
    int length = frame.payload().length;
    if (length > 0) {
      if (chunked && !tunnel) {
        out.write((Integer.toHexString(length) + "\r\n").getBytes(ISO_8859_1));
      }
      out.write(frame.payload());
      if (chunked && !tunnel) {
        out.write("\r\n".getBytes(ISO_8859_1));
      }
      left -= length;
      synchronized (this) {
        opened.open(0, length);
        if (!frame.endsStream()) {
          opened.open(frame.stream(), length);
        }
      }
    }
    if (frame.endsStream()) {
      end();
    }
  }

  private void end() throws IOException {
    if (chunked && !tunnel) {
      out.write("0\r\n\r\n".getBytes(ISO_8859_1));
    }
    if (tunnel || closes) {
      client.shutdownOutput();
    }
    synchronized (this) {
      answered = true;
      notifyAll();
    }
  }

  private void reset(Frame frame) throws IOException {
    synchronized (this) {
      if (frame.stream() != stream || answered) {
        return;
      }
      answered = true;
      notifyAll();
    }
    if (chunked || left != 0 || frame.number(0) != ErrorCode.PROTOCOL_ERROR) {
      close();
    }
  }

  @Override
  public void close() {
    try {
      FrameClient opened = server;
      if (opened != null) {
        opened.close();
      }
      client.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    synchronized (this) {
      answered = true;
      notifyAll();
    }
  }
}

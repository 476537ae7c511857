package dev.percolate.benchmarks;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The minimal program that sends a message to many clients. When it receives a request for {@code
 * /publish}, one thread writes the same bytes to each channel that has requested {@code /topic}. It
 * does not parse anything else, and only pretends to support WebSockets. System property: {@code
 * port}.
 */
final class WriteLoop {

  private static final int BACKLOG = 1024;
  private static final ByteBuffer ACCEPTED =
      direct(
          """
          HTTP/1.1 101 Switching Protocols\r
          Upgrade: websocket\r
          Connection: Upgrade\r
          Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r
          \r
          """);
  private static final ByteBuffer SENT = direct("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nsent");

  private final List<SocketChannel> channels = new ArrayList<>();
  private final ByteBuffer in = ByteBuffer.allocateDirect(4096);
  private ByteBuffer frame = ByteBuffer.allocateDirect(0);

  private WriteLoop() {}

  public static void main(String[] args) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open();
    InetAddress here = InetAddress.getLoopbackAddress();
    server.bind(new InetSocketAddress(here, Integer.getInteger("port")), BACKLOG);
    server.configureBlocking(false);
    Selector selector = Selector.open();
    server.register(selector, SelectionKey.OP_ACCEPT);
    System.out.println("ready");
    WriteLoop loop = new WriteLoop();
    while (true) {
      int ignored = selector.select(key -> loop.serve(key, server));
    }
  }

  private void serve(SelectionKey key, ServerSocketChannel server) {
    try {
      if (key.isAcceptable()) {
        accept(key.selector(), server);
      } else {
        read((SocketChannel) key.channel());
      }
    } catch (IOException e) {
      end(key);
    }
  }

  private static void accept(Selector selector, ServerSocketChannel server) throws IOException {
    SocketChannel channel = server.accept();
    if (channel != null) {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.register(selector, SelectionKey.OP_READ);
    }
  }

  private void read(SocketChannel channel) throws IOException {
    int count = channel.read(in.clear());
    String asked = StandardCharsets.US_ASCII.decode(in.flip()).toString();
    if (count < 0) {
      throw new EOFException();
    }
    if (asked.startsWith("GET /topic ")) {
      channels.add(channel);
      write(channel, ACCEPTED);
    } else {
      if (asked.startsWith("GET /publish?")) {
        publish(asked);
      }
      write(channel, SENT);
    }
  }

  private void end(SelectionKey key) {
    try {
      key.channel().close();
    } catch (IOException e) {
      // the client has disconnected
    }
    boolean ignored = channels.remove(key.channel());
  }

  private void publish(String asked) throws IOException {
    int bytes = Integer.parseInt(asked.substring(asked.indexOf('=') + 1, asked.indexOf(" HTTP")));
    if (frame.capacity() == 0) {
      String text = "\"" + "x".repeat(bytes - 2) + "\"";
      frame =
          direct(
              (char) 0x81 + "" + (char) 126 + (char) (bytes >> 8) + (char) (bytes & 0xFF) + text);
    }
    for (SocketChannel channel : channels) {
      write(channel, frame);
    }
  }

  private static void write(SocketChannel channel, ByteBuffer bytes) throws IOException {
    channel.write(bytes.rewind());
    if (bytes.hasRemaining()) {
      throw new IOException("the client reads too slowly");
    }
  }

  private static ByteBuffer direct(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    return ByteBuffer.allocateDirect(bytes.length).put(bytes);
  }
}

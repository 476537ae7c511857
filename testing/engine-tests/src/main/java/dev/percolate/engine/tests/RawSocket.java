package dev.percolate.engine.tests;

import dev.percolate.engine.Server;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Sends and receives exact bytes. */
public class RawSocket implements AutoCloseable {

  private static final int DEADLINE_MS = 20_000;

  private final Socket socket;

  public RawSocket(Server server) throws IOException {
    this(server.port());
  }

  public RawSocket(int port) throws IOException {
    this(connect(port));
  }

  protected RawSocket(Socket socket) {
    this.socket = socket;
  }

  protected static Socket connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(DEADLINE_MS);
    socket.setTcpNoDelay(true);
    return socket;
  }

  public RawSocket send(String latin1) throws IOException {
    socket.getOutputStream().write(latin1.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
    return this;
  }

  /** Reads until a text has arrived. Returns everything up to its end. */
  public String readTo(String end) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    InputStream in = socket.getInputStream();
    while (!read.toString(StandardCharsets.ISO_8859_1).endsWith(end)) {
      int b = in.read();
      if (b < 0) {
        throw new IOException("closed after: " + read.toString(StandardCharsets.ISO_8859_1));
      }
      read.write(b);
    }
    return read.toString(StandardCharsets.ISO_8859_1);
  }

  /** Reads a number of bytes. */
  public String read(int count) throws IOException {
    return new String(socket.getInputStream().readNBytes(count), StandardCharsets.ISO_8859_1);
  }

  /** Reads until the server closes the connection. */
  public String readToClose() throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  /** Disconnects with a reset, without reading what has arrived. */
  public void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

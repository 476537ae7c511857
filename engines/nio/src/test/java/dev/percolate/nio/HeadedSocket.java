package dev.percolate.nio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A socket that sends a PROXY header together with some of the bytes after it, then the rest. */
final class HeadedSocket extends Socket {

  private final Socket socket;
  private final OutputStream out;

  HeadedSocket(Socket socket, String header, int withFirst) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    this.out =
        new FilterOutputStream(socket.getOutputStream()) {
          private boolean sent;

          @Override
          public void write(byte[] bytes, int from, int count) throws IOException {
            if (sent) {
              out.write(bytes, from, count);
              return;
            }
            sent = true;
            byte[] head = header.getBytes(ISO_8859_1);
            int first = Math.min(count, withFirst);
            byte[] all = Arrays.copyOf(head, head.length + first);
            System.arraycopy(bytes, from, all, head.length, first);
            out.write(all);
            out.write(bytes, from + first, count - first);
          }
        };
  }

  /** Performs a TLS handshake over it. */
  SSLSocket secure(SSLContext trusting) throws IOException {
    return (SSLSocket)
        trusting.getSocketFactory().createSocket(this, "localhost", socket.getPort(), true);
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return socket.getInputStream();
  }

  @Override
  public OutputStream getOutputStream() {
    return out;
  }

  @Override
  public boolean isConnected() {
    return true;
  }

  @Override
  public synchronized void close() throws IOException {
    socket.close();
  }
}

package dev.percolate.nio;

import dev.percolate.engine.Server;
import dev.percolate.fixtures.TestCertificate;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;

/** A TLS client whose records a test can send, keep or change individually. */
final class RecordClient implements AutoCloseable {

  private static final int ROOM = 40_000;
  private static final int DEADLINE_MS = 20_000;

  private final Socket socket = new Socket();
  private final SSLEngine engine;
  private final ByteBuffer received = ByteBuffer.allocate(ROOM).flip();
  private final ByteBuffer plain = ByteBuffer.allocate(ROOM);

  RecordClient(Server server, TestCertificate trusted, String version) throws Exception {
    SSLContext context = TestCertificate.trusting(trusted);
    engine = context.createSSLEngine("localhost", server.port());
    engine.setUseClientMode(true);
    engine.setSSLParameters(TlsSocket.parameters(version));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    socket.setSoTimeout(DEADLINE_MS);
    socket.setTcpNoDelay(true);
  }

  /** Returns the records that begin a handshake, without sending them. */
  byte[] hello() throws IOException {
    engine.beginHandshake();
    return wrap(new byte[0]);
  }

  /** Performs the handshake. */
  RecordClient agree() throws IOException {
    sendRaw(hello());
    HandshakeStatus status = engine.getHandshakeStatus();
    while (status != HandshakeStatus.NOT_HANDSHAKING) {
      switch (status) {
        case NEED_TASK -> engine.getDelegatedTask().run();
        case NEED_WRAP -> sendRaw(wrap(new byte[0]));
        default -> unwrap();
      }
      status = engine.getHandshakeStatus();
    }
    return this;
  }

  /** Returns the records of a text, after any messages of TLS itself. */
  byte[] seal(String latin1) throws IOException {
    return wrap(latin1.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Returns a request to renegotiate, or in TLS 1.3 to update the keys. */
  byte[] again() throws IOException {
    engine.beginHandshake();
    return wrap(new byte[0]);
  }

  /** Returns a close_notify. */
  byte[] closeNotify() throws IOException {
    engine.closeOutbound();
    return wrap(new byte[0]);
  }

  void sendRaw(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  void send(String latin1) throws IOException {
    sendRaw(seal(latin1));
  }

  /** Closes the output of the socket. */
  void shutdown() throws IOException {
    socket.shutdownOutput();
  }

  /** Returns true if the server closes the connection immediately, whatever it sends before. */
  boolean isClosed() throws IOException {
    socket.setSoTimeout(2_000); // less than the idle timeout
    try {
      while (socket.getInputStream().read() >= 0) {
        // discard
      }
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true; // reset
    }
  }

  /** Reads until a text has arrived. */
  String readTo(String end) throws IOException {
    while (!text().endsWith(end)) {
      if (!unwrap()) {
        throw new EOFException("closed after: " + text());
      }
    }
    String all = text();
    plain.clear();
    return all;
  }

  /**
   * Reads until the end.
   *
   * @throws EOFException if the server closes the connection without a close_notify
   */
  String readToCloseNotify() throws IOException {
    while (unwrap()) {
      // until the end
    }
    return text();
  }

  private String text() {
    return new String(plain.array(), 0, plain.position(), StandardCharsets.ISO_8859_1);
  }

  /** Reads more. Returns false at the end. */
  private boolean unwrap() throws IOException {
    while (true) {
      SSLEngineResult result = engine.unwrap(received, plain);
      if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
        engine.getDelegatedTask().run();
      }
      if (result.getStatus() == Status.CLOSED) {
        return false;
      } else if (result.getStatus() != Status.BUFFER_UNDERFLOW) {
        return true;
      }
      received.compact();
      int count =
          socket.getInputStream().read(received.array(), received.position(), received.remaining());
      if (count < 0) {
        throw new EOFException("no close_notify after: " + text());
      }
      received.position(received.position() + count).flip();
    }
  }

  private byte[] wrap(byte[] bytes) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    ByteBuffer from = ByteBuffer.wrap(bytes);
    ByteBuffer to = ByteBuffer.allocate(ROOM);
    do {
      SSLEngineResult result = engine.wrap(from, to.clear());
      all.writeBytes(Arrays.copyOf(to.array(), to.position()));
      if (result.bytesProduced() == 0) {
        break;
      }
    } while (from.hasRemaining() || engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP);
    return all.toByteArray();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

package dev.percolate.conformance;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Sends requests over sockets, each on a new connection. */
final class Wire {

  private static final long ABORT_MILLIS = 40;

  /** The number of bytes that the buffers of a connection accept without waiting. */
  private static final int AT_ONCE = 32 << 10;

  private Wire() {}

  /**
   * Sends a request and reads the response.
   *
   * @param server the address of the server
   * @param request the request in the form of scenarios
   * @param idleMillis the timeout for each read
   * @return the response in the form of recorded ones
   */
  static Map<String, @Nullable Object> exchange(
      InetSocketAddress server, Map<String, @Nullable Object> request, int idleMillis)
      throws IOException, InterruptedException {
    byte[] bytes = RequestBytes.of(request);
    try (Socket socket = new Socket(server.getAddress(), server.getPort())) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(idleMillis);
      send(bytes, socket);
      if (request.containsKey("abortAfter") || request.containsKey("hangUpAfter")) {
        Object millis = request.getOrDefault("hangUpAfter", ABORT_MILLIS);
        TimeUnit.MILLISECONDS.sleep(((Number) ScriptValues.orUndefined(millis)).longValue());
        socket.setSoLinger(true, 0); // sends a reset; after a normal end the server may respond
        return Answers.word("aborted");
      }
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      return receive(socket.getInputStream(), answer)
          ? Answers.parse(answer.toByteArray(), RequestBytes.method(request))
          : Answers.word("timeout");
    }
  }

  /** Sends a request. Long ones are sent on another thread, because the response may come early. */
  private static void send(byte[] bytes, Socket socket) {
    Runnable sending =
        () -> {
          try {
            socket.getOutputStream().write(bytes);
          } catch (IOException e) {
            // The server has closed the connection. Its response so far is compared.
          }
        };
    if (bytes.length <= AT_ONCE) {
      sending.run();
      return;
    }
    Thread sender = new Thread(sending, "sender");
    sender.setDaemon(true);
    sender.start();
  }

  /** Reads until the connection is closed or reset. Returns false after a timeout. */
  private static boolean receive(InputStream in, ByteArrayOutputStream answer) {
    byte[] buffer = new byte[16 << 10];
    try {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        answer.write(buffer, 0, count);
      }
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
    return true;
  }
}

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

/** Sends requests over sockets, each on a connection of its own. */
final class Wire {

  private static final long ABORT_MILLIS = 40;

  /** What a connection's buffers surely take at once. */
  private static final int AT_ONCE = 32 << 10;

  private Wire() {}

  /**
   * Sends a request and reads its answer.
   *
   * @param server where to
   * @param request as the scenario has it
   * @param idleMillis how long nothing may come
   * @return the answer, in the form of recorded ones
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
        socket.setSoLinger(true, 0); // a reset, since who only ends may still want its answer
        return Answers.word("aborted");
      }
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      return receive(socket.getInputStream(), answer)
          ? Answers.parse(answer.toByteArray(), RequestBytes.method(request))
          : Answers.word("timeout");
    }
  }

  /** Sends a request, a long one beside reading: its answer may come before its end. */
  private static void send(byte[] bytes, Socket socket) {
    Runnable sending =
        () -> {
          try {
            socket.getOutputStream().write(bytes);
          } catch (IOException e) {
            // The server has closed the connection; what it said before is what counts.
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

  /** Reads until the connection is closed, properly or not; false if nothing comes for too long. */
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

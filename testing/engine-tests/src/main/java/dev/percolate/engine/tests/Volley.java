package dev.percolate.engine.tests;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.percolate.engine.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sends the same bytes over many connections, each split differently. Each part is sent on all
 * connections before the next one, so that the server has usually read one part before the next
 * arrives.
 */
final class Volley implements AutoCloseable {

  private static final int DEADLINE_MS = 6_000;
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d\\d\\d) ");

  private final List<Socket> sockets = new ArrayList<>();
  private final List<byte[][]> pieces;

  Volley(Server server, List<byte[][]> pieces) throws IOException {
    this.pieces = pieces;
    for (int i = 0; i < pieces.size(); i++) {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(DEADLINE_MS);
      sockets.add(socket);
    }
  }

  /** Sends everything. Returns what the server sent on each connection before closing it. */
  List<String> fire() throws IOException {
    send();
    return answers();
  }

  /**
   * Sends everything and ends the output, then waits until the server has closed each connection.
   */
  void hangUp() {
    send();
    for (Socket socket : sockets) {
      try {
        socket.shutdownOutput();
      } catch (IOException e) {
        // the server has rejected the request and closed
      }
    }
    answers();
  }

  private void send() {
    int most = pieces.stream().mapToInt(each -> each.length).max().orElse(0);
    for (int piece = 0; piece < most; piece++) {
      for (int i = 0; i < sockets.size(); i++) {
        if (piece < pieces.get(i).length) {
          send(sockets.get(i), pieces.get(i)[piece]);
        }
      }
    }
  }

  private List<String> answers() {
    List<String> answers = new ArrayList<>();
    for (Socket socket : sockets) {
      answers.add(readToClose(socket));
    }
    return answers;
  }

  /** Returns the status codes in the received bytes. */
  static List<Integer> statuses(String answers) {
    List<Integer> statuses = new ArrayList<>();
    Matcher matcher = STATUS.matcher(answers);
    while (matcher.find()) {
      statuses.add(Integer.valueOf(matcher.group(1)));
    }
    return statuses;
  }

  @Override
  public void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private static void send(Socket socket, byte[] piece) {
    try {
      socket.getOutputStream().write(piece);
    } catch (IOException e) {
      // the server has rejected the request and closed; its response shows that
    }
  }

  private static String readToClose(Socket socket) {
    StringBuilder read = new StringBuilder();
    byte[] buffer = new byte[1 << 10];
    try {
      for (int n; (n = socket.getInputStream().read(buffer)) >= 0; ) {
        read.append(new String(buffer, 0, n, ISO_8859_1));
      }
    } catch (java.net.SocketTimeoutException e) {
      read.append("(the server did not close)");
    } catch (IOException e) {
      // closed while the test was still sending
    }
    return read.toString();
  }
}

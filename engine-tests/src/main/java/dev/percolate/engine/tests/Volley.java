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
 * Sends the same bytes over many connections, to each in other pieces: a piece goes out on all of
 * them before the next one does, so that the server has mostly read the one when the other comes.
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

  /** Sends everything, and gives what came back on each connection until the server closed it. */
  List<String> fire() throws IOException {
    send();
    return answers();
  }

  /** Sends everything and no more, and waits until the server has closed each connection. */
  void hangUp() {
    send();
    for (Socket socket : sockets) {
      try {
        socket.shutdownOutput();
      } catch (IOException e) {
        // the server has seen enough and closed
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

  /** Returns the statuses of the answers in what came back. */
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
      // the server has seen enough and closed; its answer tells
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
      // closed while we were still sending
    }
    return read.toString();
  }
}

package dev.percolate.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** A sentinel that names the master that a test chooses, and publishes the events of a test. */
final class FakeSentinel implements AutoCloseable {

  private final ServerSocket port = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final Map<Socket, List<String>> channels = new ConcurrentHashMap<>();
  private volatile RedisServer master;

  FakeSentinel(RedisServer master) throws IOException {
    this.master = master;
    start(this::accept);
  }

  String url() {
    return "redis-sentinel://127.0.0.1:" + port.getLocalPort() + "#main";
  }

  /** Names another master from now on, without an event. */
  void master(RedisServer changed) {
    master = changed;
  }

  void publish(String channel, String text) throws IOException {
    for (Map.Entry<Socket, List<String>> one : channels.entrySet()) {
      if (one.getValue().contains(channel)) {
        write(one.getKey(), array("message", channel, text));
      }
    }
  }

  @Override
  public void close() throws IOException {
    port.close();
    for (Socket socket : channels.keySet()) {
      socket.close();
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "fake sentinel");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = port.accept();
        channels.put(socket, new ArrayList<>());
        start(() -> serve(socket));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        List<String> words = new ArrayList<>();
        for (int left = Integer.parseInt(line.substring(1)); left > 0; left--) {
          in.readLine(); // the length
          words.add(in.readLine());
        }
        write(socket, reply(channels.get(socket), words));
      }
    } catch (IOException e) {
      // closed
    } finally {
      channels.remove(socket);
    }
  }

  private String reply(List<String> subscribed, List<String> words) {
    return switch (words.get(0).toUpperCase(Locale.ROOT)) {
      case "HELLO" -> "-ERR unknown command\r\n"; // Lettuce goes on with RESP2
      case "SENTINEL" -> array("127.0.0.1", "" + master.port());
      case "PING" -> subscribed.isEmpty() ? "+PONG\r\n" : array("pong", "");
      case "SUBSCRIBE" -> {
        StringBuilder replies = new StringBuilder();
        for (String channel : words.subList(1, words.size())) {
          subscribed.add(channel);
          replies.append("*3\r\n").append(bulk("subscribe")).append(bulk(channel));
          replies.append(':').append(subscribed.size()).append("\r\n");
        }
        yield replies.toString();
      }
      default -> "+OK\r\n";
    };
  }

  private static void write(Socket socket, String text) throws IOException {
    synchronized (socket) {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String array(String... words) {
    return List.of(words).stream()
        .map(FakeSentinel::bulk)
        .collect(Collectors.joining("", "*" + words.length + "\r\n", ""));
  }

  private static String bulk(String word) {
    return "$" + word.length() + "\r\n" + word + "\r\n";
  }
}

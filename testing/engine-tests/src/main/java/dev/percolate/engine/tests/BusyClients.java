package dev.percolate.engine.tests;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients that send requests without a pause; counts the responses with status 200. */
final class BusyClients implements AutoCloseable {

  private final byte[] get;
  private final List<Socket> sockets = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger answers = new AtomicInteger();

  BusyClients(int count, int port, String path) throws IOException {
    get = ("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < count; i++) {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
      sockets.add(socket);
      Thread thread = new Thread(() -> ask(socket), "busy-client");
      threads.add(thread);
      thread.start();
    }
  }

  /** Waits for a number of further responses; returns false if they did not arrive. */
  boolean awaitAnswers(int more) throws InterruptedException {
    int wanted = answers.get() + more;
    for (int waits = 0; answers.get() < wanted && waits < 3000; waits++) {
      Thread.sleep(10);
    }
    return answers.get() >= wanted;
  }

  private void ask(Socket socket) {
    byte[] buffer = new byte[4096];
    try {
      InputStream in = socket.getInputStream();
      while (true) {
        socket.getOutputStream().write(get);
        int count = in.read(buffer); // responses are short, and arrive in one piece
        if (count < 0) {
          return;
        }
        if (new String(buffer, 0, count, StandardCharsets.US_ASCII).startsWith("HTTP/1.1 200 ")) {
          answers.incrementAndGet();
        }
      }
    } catch (IOException e) {
      // the socket has been closed
    }
  }

  @Override
  public void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

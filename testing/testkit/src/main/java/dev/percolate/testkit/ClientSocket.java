package dev.percolate.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/** A connection. One thread writes requests, another one reads responses. */
final class ClientSocket {

  /** Small, so that the server must soon wait for a client that does not read. */
  private static final int RECEIVE_BUFFER = 64 << 10;

  private static final int CONNECT_MILLIS = 5_000;

  private final String host;
  private final Consumer<ClientSocket> closed;
  private final Socket socket = new Socket();
  private final BlockingQueue<Runnable> outbox = new LinkedBlockingQueue<>();
  private final BlockingQueue<Awaited> awaited = new LinkedBlockingQueue<>();
  private final Thread writer = new Thread(this::writeAll, "wire-writer");
  private final Thread reader = new Thread(this::readAll, "wire-reader");
  private final OutputStream out;
  private final InputStream in;
  private boolean paused;
  private volatile boolean over;

  /** A response that has not been read; {@code head} if it is for HEAD. */
  private record Awaited(boolean head, IncomingReply answer) {}

  ClientSocket(String host, int port, Consumer<ClientSocket> closed) throws IOException {
    this.host = host + ":" + port;
    this.closed = closed;
    socket.setReceiveBufferSize(RECEIVE_BUFFER);
    socket.setTcpNoDelay(true);
    socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
    out = socket.getOutputStream();
    in = socket.getInputStream();
    writer.setDaemon(true);
    writer.start();
    reader.setDaemon(true);
    reader.start();
  }

  /** Sends the head of a request. Returns its response, still empty. */
  IncomingReply open(Message message) {
    byte[] head = message.head(host);
    IncomingReply answer = new IncomingReply(message.toString(), () -> "");
    awaited.add(new Awaited(message.isHead(), answer));
    send(head, () -> {});
    if (over) {
      endAwaited();
    }
    return answer;
  }

  /** Sends bytes, then runs {@code sent}. */
  void send(byte[] bytes, Runnable sent) {
    outbox.add(
        () -> {
          try {
            out.write(bytes);
            sent.run();
          } catch (IOException e) {
            Thread.currentThread().interrupt(); // the reader reports the cause
          }
        });
  }

  /** Ends the output of this side after all queued bytes. */
  void finish() {
    outbox.add(
        () -> {
          try {
            socket.shutdownOutput();
          } catch (IOException e) {
            Thread.currentThread().interrupt(); // the reader reports the cause
          }
        });
  }

  synchronized void pause(boolean paused) {
    this.paused = paused;
    notifyAll();
  }

  void close() {
    over = true;
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException("cannot close a socket", e);
    } finally {
      writer.interrupt();
      reader.interrupt();
      closed.accept(this);
    }
  }

  private void writeAll() {
    try {
      while (true) {
        outbox.take().run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the connection is closed
    }
  }

  private void readAll() {
    ResponseReader answers = new ResponseReader(this::read);
    try {
      while (!over) {
        Awaited next = awaited.take();
        over |= !answers.read(next.head, next.answer);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the connection is closed
    }
    over = true;
    endAwaited();
  }

  private int read(byte[] buffer) throws IOException {
    synchronized (this) {
      while (paused && !over) {
        try {
          wait();
        } catch (InterruptedException e) {
          throw new IOException("connection closed by the client", e);
        }
      }
    }
    return in.read(buffer);
  }

  private void endAwaited() {
    for (Awaited next = awaited.poll(); next != null; next = awaited.poll()) {
      next.answer.end(false);
    }
  }
}

package dev.percolate.jdbc;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Forwards connections to PostgreSQL, and counts bytes and round trips of its protocol. */
final class CountingProxy implements AutoCloseable {

  /** Ends a group of messages; the server responds with ReadyForQuery. */
  private static final int SYNC = 'S';

  private static final int SIMPLE_QUERY = 'Q';

  private final int target;
  private final ServerSocket accepting;
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private final AtomicLong roundTrips = new AtomicLong();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong received = new AtomicLong();

  /** The traffic so far. */
  record Traffic(long roundTrips, long sent, long received) {}

  CountingProxy(int target) throws IOException {
    this.target = target;
    this.accepting = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  /** Returns the URL of the database, without messages before the protocol begins. */
  String url() {
    return "jdbc:postgresql://127.0.0.1:"
        + accepting.getLocalPort()
        + "/postgres?user=test&sslmode=disable&gssEncMode=disable";
  }

  Traffic traffic() {
    return new Traffic(roundTrips.get(), sent.get(), received.get());
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = accepting.accept();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      open.add(client);
      open.add(server);
      start(() -> request(client, server));
      start(() -> respond(server, client));
    }
  }

  /** Forwards messages: a type, except in the first one, and a length that includes itself. */
  private void request(Socket client, Socket server) throws IOException {
    DataInputStream in = new DataInputStream(client.getInputStream());
    DataOutputStream out = new DataOutputStream(server.getOutputStream());
    for (boolean first = true; ; first = false) {
      int type = first ? 0 : in.readUnsignedByte();
      int length = in.readInt();
      byte[] content = in.readNBytes(length - Integer.BYTES);
      sent.addAndGet(length + (first ? 0 : 1));
      if (type == SYNC || type == SIMPLE_QUERY) {
        roundTrips.incrementAndGet();
      }
      if (!first) {
        out.writeByte(type);
      }
      out.writeInt(length);
      out.write(content);
      out.flush();
    }
  }

  private void respond(Socket server, Socket client) throws IOException {
    InputStream in = server.getInputStream();
    OutputStream out = client.getOutputStream();
    byte[] buffer = new byte[1 << 16];
    for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
      received.addAndGet(read); // before the client can react
      out.write(buffer, 0, read);
    }
  }

  /** Work on a connection. */
  private interface Work {
    void run() throws IOException;
  }

  private static void start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // the connection has ended
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    accepting.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}

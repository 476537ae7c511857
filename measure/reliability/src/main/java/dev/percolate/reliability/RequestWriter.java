package dev.percolate.reliability;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Writes requests to a server, whole or in small pieces, without delaying the reading thread. */
final class RequestWriter {

  /** The number of bytes that the reading thread may write, because the sockets buffer them. */
  static final int SURELY_TAKEN = 16 << 10;

  private final Executor writers;
  private final SplittableRandom random;

  /**
   * Creates the writer of one client.
   *
   * @param writers run writes that may have to wait
   * @param random chooses pieces
   */
  RequestWriter(Executor writers, SplittableRandom random) {
    this.writers = writers;
    this.random = random;
  }

  /** Returns the bytes of several requests in a row. */
  static byte[] joined(List<byte[]> requests) {
    byte[] all = new byte[requests.stream().mapToInt(request -> request.length).sum()];
    int at = 0;
    for (byte[] request : requests) {
      System.arraycopy(request, 0, all, at, request.length);
      at += request.length;
    }
    return all;
  }

  /** Returns a body in chunks of random sizes (RFC 9112, 7.1). */
  static byte[] chunked(SplittableRandom random, byte[] body) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(body.length + 100);
    int largest = 1 + body.length / (1 + random.nextInt(10));
    for (int at = 0; at < body.length; ) {
      int length = Math.min(1 + random.nextInt(largest), body.length - at);
      out.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(US_ASCII));
      out.write(body, at, length);
      out.writeBytes("\r\n".getBytes(US_ASCII));
      at += length;
    }
    out.writeBytes("0\r\n\r\n".getBytes(US_ASCII));
    return out.toByteArray();
  }

  /**
   * Writes on another thread if responses must be read meanwhile; otherwise both sides would wait.
   */
  CompletableFuture<Void> write(Socket socket, byte[] bytes, boolean inPieces) throws IOException {
    OutputStream out = socket.getOutputStream();
    if (inPieces) {
      SplittableRandom own = random.split();
      return CompletableFuture.runAsync(() -> writePieces(out, bytes, own), writers);
    }
    if (bytes.length > SURELY_TAKEN) {
      return CompletableFuture.runAsync(() -> write(out, bytes, 0, bytes.length), writers);
    }
    out.write(bytes);
    return CompletableFuture.completedFuture(null);
  }

  private static void writePieces(OutputStream out, byte[] bytes, SplittableRandom random) {
    int longest = 1 + bytes.length / (1 + random.nextInt(10));
    for (int at = 0; at < bytes.length; ) {
      // At times single bytes, so that pieces end anywhere in the protocol.
      int wanted = random.nextInt(4) == 0 ? 1 : 1 + random.nextInt(longest);
      int length = Math.min(wanted, bytes.length - at);
      write(out, bytes, at, length);
      at += length;
      pause(random.nextInt(3));
    }
  }

  private static void write(OutputStream out, byte[] bytes, int at, int length) {
    try {
      out.write(bytes, at, length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void pause(int milliseconds) {
    try {
      Thread.sleep(milliseconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

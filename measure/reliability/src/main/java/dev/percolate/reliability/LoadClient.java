package dev.percolate.reliability;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Opens one connection after the other until its time is over, and asks on each. */
abstract class LoadClient implements Runnable {

  private static final int PATIENCE_MS = 30_000;

  /**
   * The server closes a connection without requests after 5 s, and a busy machine makes us late.
   */
  private static final long LONGEST_IDLE = TimeUnit.SECONDS.toNanos(3);

  /** How long the server waits for the rest of a body behind an answer, before it closes. */
  private static final long BODY_AWAITED = TimeUnit.SECONDS.toNanos(1);

  private static final int SMALL_WINDOW = 4 << 10;
  private static final int SIP = 2_000;

  final SplittableRandom random;
  final RequestWriter writer;
  private final List<InetSocketAddress> servers;
  private final long end;
  private final ConnectionTally tally;

  /** Whether the server may still wait for the body of a request that it has answered. */
  private boolean early;

  /** When that was sent. */
  private long earlySince;

  LoadClient(
      List<InetSocketAddress> servers,
      SplittableRandom random,
      long end,
      Executor writers,
      ConnectionTally tally) {
    this.servers = servers;
    this.random = random;
    this.end = end;
    this.writer = new RequestWriter(writers, random);
    this.tally = tally;
  }

  /** Asks on a connection until its end. */
  abstract void talk(Socket socket, FramedAnswerReader reader) throws IOException;

  /** Tells whether the next connection is read slowly, and little at a time. */
  boolean isSlow() {
    return false;
  }

  @Override
  public final void run() {
    while (!isOver()) {
      try (Socket socket = new Socket()) {
        boolean slow = isSlow();
        if (slow) {
          socket.setReceiveBufferSize(SMALL_WINDOW);
        }
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MS);
        if (!connect(socket)) {
          continue;
        }
        tally.opened.increment();
        early = false;
        InputStream in = socket.getInputStream();
        talk(socket, new FramedAnswerReader(slow ? new SlowStream(in) : in));
      } catch (IOException e) {
        tally.lost(String.valueOf(e.getMessage()));
        RequestWriter.pause(100); // else a server that has gone is asked a thousand times a second
      }
    }
  }

  /**
   * Tells whether servers are stopped while others go on, so that a connection may end at any time.
   */
  final boolean stops() {
    return servers.size() > 1;
  }

  /** Tells whether a failure is the end of a connection. */
  static boolean isEnd(Exception failure) {
    return failure instanceof EOFException
        || failure instanceof SocketException
        || failure instanceof CompletionException;
  }

  /** Connects to one of the servers; returns false if that is not there, as it may be. */
  private boolean connect(Socket socket) throws IOException {
    try {
      socket.connect(servers.get(random.nextInt(servers.size())), PATIENCE_MS);
      return true;
    } catch (ConnectException e) {
      if (!stops()) {
        throw e;
      }
      RequestWriter.pause(20);
      return false;
    }
  }

  final boolean isOver() {
    return System.nanoTime() - end >= 0;
  }

  /** Tells whether the server may have closed a connection that was idle since then. */
  static boolean isIdle(long since) {
    return System.nanoTime() - since > LONGEST_IDLE;
  }

  /** Notes whether the last answer came before its request, sent then, was at its end. */
  final void answered(boolean early, long sent) {
    this.early = early;
    this.earlySince = sent;
  }

  /**
   * Tells whether the server has closed the connection because a body came late; if so, what is
   * unanswered counts as given up.
   */
  final boolean isCut(int unanswered) {
    if (!early || System.nanoTime() - earlySince <= BODY_AWAITED) {
      return false;
    }
    tally.cut.increment();
    tally.abandoned.add(unanswered);
    return true;
  }

  /** Returns the error of a connection that ended before its requests were answered. */
  static IOException lost(int answered, int asked, long started, String requests, Exception e) {
    long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
    return new IOException(
        "%d of %d answered in %d ms (%s): %s".formatted(answered, asked, waited, requests, e), e);
  }

  /** Reads little at a time, and slowly. */
  private static final class SlowStream extends FilterInputStream {

    SlowStream(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      RequestWriter.pause(1);
      return super.read(target, offset, Math.min(length, SIP));
    }
  }
}

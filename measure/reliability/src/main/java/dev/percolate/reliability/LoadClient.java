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

/** Opens one connection after the other until its time is over, and sends requests on each. */
abstract class LoadClient implements Runnable {

  private static final int PATIENCE_MS = 30_000;

  /**
   * The server closes a connection without requests after 5 s, and clients may be late on a busy
   * machine.
   */
  private static final long LONGEST_IDLE = TimeUnit.SECONDS.toNanos(3);

  /** The time the server waits for the rest of a body after a response, before it closes. */
  private static final long BODY_AWAITED = TimeUnit.SECONDS.toNanos(1);

  private static final int SMALL_WINDOW = 4 << 10;
  private static final int SIP = 2_000;

  final SplittableRandom random;
  final RequestWriter writer;
  private final List<InetSocketAddress> servers;
  private final long end;
  private final ConnectionTally tally;

  /** Whether the server may still wait for the body of a request that got its response. */
  private boolean early;

  /** The time when that request was sent. */
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

  /** Sends requests on a connection until its end. */
  abstract void talk(Socket socket, FramedAnswerReader reader) throws IOException;

  /** Returns true if the next connection reads slowly, and little at a time. */
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
        RequestWriter.pause(100); // limits connection attempts while a server is down
      }
    }
  }

  /**
   * Returns true if servers are stopped while others continue, so a connection may end at any time.
   */
  final boolean stops() {
    return servers.size() > 1;
  }

  /** Returns true if a failure is the end of a connection. */
  static boolean isEnd(Exception failure) {
    return failure instanceof EOFException
        || failure instanceof SocketException
        || failure instanceof CompletionException;
  }

  /** Connects to one of the servers; returns false if that server may be stopped. */
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

  /** Returns true if the server may have closed a connection that was idle since then. */
  static boolean isIdle(long since) {
    return System.nanoTime() - since > LONGEST_IDLE;
  }

  /** Records whether the last response came before its request, sent then, was complete. */
  final void answered(boolean early, long sent) {
    this.early = early;
    this.earlySince = sent;
  }

  /**
   * Returns true if the server closed the connection because of a late body. Then requests without
   * a response count as given up.
   */
  final boolean isCut(int unanswered) {
    if (!early || System.nanoTime() - earlySince <= BODY_AWAITED) {
      return false;
    }
    tally.cut.increment();
    tally.abandoned.add(unanswered);
    return true;
  }

  /** Returns the error of a connection that ended before its responses were complete. */
  static IOException lost(int answered, int asked, long started, String requests, Exception e) {
    long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
    return new IOException(
        "%d of %d responses in %d ms (%s): %s".formatted(answered, asked, waited, requests, e), e);
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

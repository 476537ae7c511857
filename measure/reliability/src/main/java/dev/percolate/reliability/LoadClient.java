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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Opens one connection after the other until its time is over, sends requests on each, and checks
 * their responses.
 */
abstract class LoadClient implements Runnable {

  private static final int PATIENCE_MS = 30_000;

  /**
   * The server closes a connection without requests after 5 s, and clients may be late on a busy
   * machine.
   */
  private static final long LONGEST_IDLE = TimeUnit.SECONDS.toNanos(3);

  /** The time the server waits for the rest of a body after a response, before it closes. */
  private static final long BODY_AWAITED = TimeUnit.SECONDS.toNanos(1);

  /** Less than the server's timeout, which starts only when the head has arrived. */
  private static final long ANSWER_AWAITED =
      TimeUnit.MILLISECONDS.toNanos(HandlerKind.ANSWER_MS * 9 / 10);

  private static final int SMALL_WINDOW = 4 << 10;
  private static final int SIP = 2_000;

  final SplittableRandom random;
  final RequestWriter writer;
  private final List<InetSocketAddress> servers;
  private final long end;
  final Tally tally;

  /** Whether the server may still wait for the body of a request that got its response. */
  private boolean early;

  /** The time when that request was sent. */
  private long earlySince;

  LoadClient(
      List<InetSocketAddress> servers,
      SplittableRandom random,
      long end,
      Executor writers,
      Tally tally) {
    this.servers = servers;
    this.random = random;
    this.end = end;
    this.writer = new RequestWriter(writers, random);
    this.tally = tally;
  }

  /** Sends requests on a connection until its end. */
  abstract void talk(Socket socket, FramedResponseReader reader) throws IOException;

  /** Handles a response without faults. */
  abstract void learn(LoadRequest request, FramedResponse response);

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
        talk(socket, new FramedResponseReader(slow ? new SlowStream(in) : in));
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

  /**
   * Returns true if the server may have closed the connection as idle.
   *
   * @param sent when the last requests were sent: a client that reads slowly may still read
   *     responses which the server has long written
   */
  static boolean isIdle(long sent) {
    return System.nanoTime() - sent > LONGEST_IDLE;
  }

  /**
   * Sends requests at once and checks their responses; returns false if the connection has ended as
   * allowed.
   */
  final boolean ask(
      Socket socket, FramedResponseReader reader, List<LoadRequest> batch, boolean inPieces)
      throws IOException {
    int answered = 0;
    long started = System.nanoTime();
    try {
      CompletableFuture<Void> written = writer.write(socket, bytes(batch), inPieces);
      for (LoadRequest request : batch) {
        if (request.isCutShort()) {
          expectCut(reader, request);
          return false;
        }
        FramedResponse response = reader.read(request.isHead());
        take(request, response, started);
        answered++;
        early = request.isAnsweredEarly();
        earlySince = started;
        if (response.isLast() && stops()) {
          closed(batch.subList(answered, batch.size()));
          return false;
        }
        if (response.isLast() && answered < batch.size()) {
          throw new IOException("unexpected Connection: close");
        }
      }
      if (batch.size() == 1 && !inPieces) {
        tally.waited(batch.get(0).kind(), System.nanoTime() - started);
      }
      written.join();
      return true;
    } catch (IOException | CompletionException e) {
      List<LoadRequest> rest = batch.subList(answered, batch.size());
      if (isCut(rest.size())) {
        return false;
      }
      if (stops() && isEnd(e)) {
        closed(rest);
        return false;
      }
      rest.forEach(request -> tally.missing(request.kind()));
      throw lost(answered, batch, started, e);
    }
  }

  /** Checks one response. */
  final void take(LoadRequest request, FramedResponse response, long started) throws IOException {
    boolean mayBeLate = System.nanoTime() - started > ANSWER_AWAITED;
    String fault = request.fault(response, mayBeLate);
    if (fault == null) {
      tally.right(request.kind(), response.status() == 503);
      learn(request, response);
    } else {
      tally.wrong(request.kind(), request, fault);
    }
  }

  /** Returns the bytes of several requests in a row. */
  static byte[] bytes(List<LoadRequest> batch) {
    return RequestWriter.joined(batch.stream().map(LoadRequest::bytes).toList());
  }

  /** Reads a response that must end within its body. */
  private void expectCut(FramedResponseReader reader, LoadRequest request) throws IOException {
    try {
      FramedResponse response = reader.read(false);
      if (response.status() != 503) {
        String fault = "a complete response of " + response.body().length + " bytes";
        tally.wrong(request.kind(), request, fault);
        return;
      }
    } catch (EOFException | SocketException cut) {
      if (stops()) {
        tally.abandoned.increment(); // perhaps stopped before the request entered
        return;
      }
    }
    tally.right(request.kind(), false);
  }

  /** Records requests on a connection that the server closed: none of them may have entered. */
  private void closed(List<LoadRequest> unanswered) {
    unanswered.forEach(request -> tally.unanswered(request.id()));
  }

  /**
   * Returns true if the server closed the connection because of a late body. Then requests without
   * a response count as given up.
   */
  private boolean isCut(int unanswered) {
    if (!early || System.nanoTime() - earlySince <= BODY_AWAITED) {
      return false;
    }
    tally.cut.increment();
    tally.abandoned.add(unanswered);
    return true;
  }

  /** Returns the error of a connection that ended before its responses were complete. */
  private static IOException lost(
      int answered, List<LoadRequest> asked, long started, Exception e) {
    long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
    return new IOException(
        "%d of %d responses in %d ms (%s): %s".formatted(answered, asked.size(), waited, asked, e),
        e);
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

package dev.percolate.benchmarks;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Asks on one connection after the other until its time is over: one request after the other or
 * several at once, whole or in small pieces, reading as fast or slowly as it likes. Some
 * connections end badly: the client hangs up, resets, or closes its half, at any byte that it sends
 * or reads.
 */
final class HandlersClient implements Runnable {

  private static final int PATIENCE_MS = 30_000;

  /**
   * The server closes a connection without requests after 5 s, and a busy machine makes us late.
   */
  private static final long LONGEST_IDLE = TimeUnit.SECONDS.toNanos(3);

  /** How long the server waits for the rest of a body behind an answer, before it closes. */
  private static final long BODY_AWAITED = TimeUnit.SECONDS.toNanos(1);

  /** Clocks tick alike, but the server's begins when the head is there. */
  private static final long ANSWER_AWAITED =
      TimeUnit.MILLISECONDS.toNanos(HandlersServer.ANSWER_MS * 9 / 10);

  private static final int SMALL_WINDOW = 4 << 10;
  private static final int SIP = 2_000;

  private final InetSocketAddress server;
  private final long end;
  private final SplittableRandom random;
  private final List<HandlerKind> kinds;
  private final RequestWriter writer;
  private final HandlersTally tally;

  /** Whether the server may still wait for the body of a request that it has answered. */
  private boolean early;

  /** When that was sent. */
  private long earlySince;

  HandlersClient(
      InetSocketAddress server,
      long end,
      SplittableRandom random,
      List<HandlerKind> kinds,
      Executor writers,
      HandlersTally tally) {
    this.server = server;
    this.end = end;
    this.random = random;
    this.kinds = kinds;
    this.writer = new RequestWriter(writers, random);
    this.tally = tally;
  }

  /** How a connection ends that does not end well. */
  private enum Leaving {
    HANG_UP,
    RESET,
    CLOSE_HALF
  }

  @Override
  public void run() {
    while (!isOver()) {
      try (Socket socket = new Socket()) {
        tally.opened.increment();
        boolean slow = random.nextInt(10) == 0;
        if (slow) {
          socket.setReceiveBufferSize(SMALL_WINDOW);
        }
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MS);
        socket.connect(server, PATIENCE_MS);
        InputStream in = socket.getInputStream();
        talk(socket, new FramedAnswerReader(slow ? new Sipping(in) : in));
      } catch (IOException e) {
        tally.lost(String.valueOf(e.getMessage()));
        RequestWriter.pause(
            100); // whoever listens no more shall not be asked a thousand times a second
      }
    }
  }

  private boolean isOver() {
    return System.nanoTime() - end >= 0;
  }

  /** Asks until this connection shall end. */
  private void talk(Socket socket, FramedAnswerReader reader) throws IOException {
    boolean open = true;
    early = false;
    long idleSince = System.nanoTime();
    while (open && !isOver()) {
      List<HandlerRequest> batch = batch();
      if (System.nanoTime() - idleSince > LONGEST_IDLE) {
        return;
      }
      if (random.nextInt(12) == 0) {
        leave(socket, reader, batch);
        return;
      }
      open = ask(socket, reader, batch) && random.nextInt(50) > 0;
      idleSince = System.nanoTime();
    }
  }

  /** Makes some requests; behind one whose connection is closed there is none. */
  private List<HandlerRequest> batch() {
    int size = random.nextInt(3) == 0 ? 2 + random.nextInt(7) : 1;
    List<HandlerRequest> batch = new ArrayList<>(size);
    do {
      batch.add(HandlerRequest.next(random, kinds));
    } while (batch.size() < size && last(batch).kind != HandlerKind.THROWS_MIDWAY);
    return batch;
  }

  /** Gives false if the connection is over, as it may be. */
  private boolean ask(Socket socket, FramedAnswerReader reader, List<HandlerRequest> batch)
      throws IOException {
    int answered = 0;
    long started = System.nanoTime();
    try {
      CompletableFuture<Void> written = writer.write(socket, bytes(batch), random.nextInt(8) == 0);
      for (HandlerRequest request : batch) {
        if (request.kind == HandlerKind.THROWS_MIDWAY) {
          expectCut(reader, request);
          return false;
        }
        take(request, reader.read(false), started);
        answered++;
        early = request.kind.isAnsweredEarly();
        earlySince = started;
      }
      written.join();
      return true;
    } catch (IOException | CompletionException e) {
      List<HandlerRequest> rest = batch.subList(answered, batch.size());
      if (early && System.nanoTime() - earlySince > BODY_AWAITED) {
        tally.cut.increment();
        tally.abandoned.add(rest.size());
        return false;
      }
      rest.forEach(tally::missing);
      throw new IOException(
          "%d of %d answered in %d ms (%s): %s"
              .formatted(
                  answered,
                  batch.size(),
                  TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started),
                  batch.stream().map(HandlerRequest::toString).collect(Collectors.joining(", ")),
                  e),
          e);
    }
  }

  private void take(HandlerRequest request, FramedAnswer answer, long started) throws IOException {
    boolean mayBeLate = System.nanoTime() - started > ANSWER_AWAITED;
    String fault = request.fault(answer, mayBeLate);
    if (fault == null) {
      tally.right(request, HandlerRequest.isLate(answer));
    } else {
      tally.wrong(request, fault);
    }
  }

  /** Reads an answer that ends in the midst of it. */
  private void expectCut(FramedAnswerReader reader, HandlerRequest request) throws IOException {
    try {
      FramedAnswer answer = reader.read(false);
      if (!HandlerRequest.isLate(answer)) {
        tally.wrong(request, "a whole answer of " + answer.body().length + " bytes");
        return;
      }
    } catch (EOFException | SocketException cut) {
      // As it should be.
    }
    tally.right(request, false);
  }

  /** Leaves while requests and answers are under way; those that come meanwhile are right. */
  private void leave(Socket socket, FramedAnswerReader reader, List<HandlerRequest> batch)
      throws IOException {
    Leaving leaving = Leaving.values()[random.nextInt(Leaving.values().length)];
    byte[] bytes = bytes(batch);
    boolean whole = random.nextBoolean();
    byte[] sent = whole ? bytes : Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length));
    int reads = leaving == Leaving.CLOSE_HALF ? batch.size() : random.nextInt(batch.size() + 1);
    long started = System.nanoTime();
    int answered = 0;
    try {
      CompletableFuture<Void> written = writer.write(socket, sent, random.nextInt(8) == 0);
      if (leaving == Leaving.CLOSE_HALF) {
        written.join();
        socket.shutdownOutput();
      } else {
        socket.setSoTimeout(1 + random.nextInt(200));
      }
      for (HandlerRequest request : batch.subList(0, reads)) {
        FramedAnswer answer = reader.read(false);
        answered++;
        take(request, answer, started);
      }
      RequestWriter.pause(random.nextInt(3));
    } catch (ProtocolException e) {
      tally.wrong(batch.get(answered), String.valueOf(e.getMessage()));
    } catch (SocketTimeoutException e) {
      if (leaving == Leaving.CLOSE_HALF) {
        throw new IOException("neither answered nor closed, our half is closed: " + batch, e);
      }
    } catch (EOFException | SocketException | CompletionException e) {
      // Whoever leaves need not be answered.
    }
    tally.abandoned.add(batch.size() - answered);
    if (leaving == Leaving.RESET) {
      socket.setSoLinger(true, 0);
    }
  }

  private static HandlerRequest last(List<HandlerRequest> batch) {
    return batch.get(batch.size() - 1);
  }

  private static byte[] bytes(List<HandlerRequest> batch) {
    return RequestWriter.joined(batch.stream().map(request -> request.bytes).toList());
  }

  /** Reads little at a time, and slowly. */
  private static final class Sipping extends FilterInputStream {

    Sipping(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      RequestWriter.pause(1);
      return super.read(target, offset, Math.min(length, SIP));
    }
  }
}

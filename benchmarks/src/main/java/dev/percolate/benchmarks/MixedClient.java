package dev.percolate.benchmarks;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Asks on one connection at a time until its time is over: one request after the other, several at
 * once, in small pieces. It closes connections between requests, has the server close them, and at
 * times hangs up in the midst of a request.
 */
final class MixedClient implements Runnable {

  private static final int PATIENCE_MS = 30_000;

  /** What is written by the thread that reads, because the sockets' buffers hold it in any case. */
  private static final int SURELY_TAKEN = 16 << 10;

  /**
   * The server closes a connection without requests after 5 s, and a busy machine makes us late.
   */
  private static final long LONGEST_IDLE = TimeUnit.SECONDS.toNanos(3);

  /** How long the server waits for the rest of a body behind an answer, before it closes. */
  private static final long BODY_AWAITED = TimeUnit.SECONDS.toNanos(1);

  private final InetSocketAddress server;
  private final long end;
  private final SplittableRandom random;
  private final Questions questions;
  private final Executor writers;
  private final Tally tally;

  /** When the request was sent whose body the server may still wait for. */
  private long earlySince;

  private boolean early;

  MixedClient(
      InetSocketAddress server,
      long end,
      SplittableRandom random,
      Questions questions,
      Executor writers,
      Tally tally) {
    this.server = server;
    this.end = end;
    this.random = random;
    this.questions = questions;
    this.writers = writers;
    this.tally = tally;
  }

  @Override
  public void run() {
    while (!isOver()) {
      try (Socket socket = new Socket()) {
        tally.opened.increment();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MS);
        socket.connect(server, PATIENCE_MS);
        talk(socket);
      } catch (IOException e) {
        tally.lost(e.getMessage());
        pause(100); // whoever listens no more shall not be asked a thousand times a second
      }
    }
  }

  private boolean isOver() {
    return System.nanoTime() - end >= 0;
  }

  /** Asks until this connection shall end. */
  private void talk(Socket socket) throws IOException {
    AnswerReader reader = new AnswerReader(socket.getInputStream());
    boolean open = true;
    early = false;
    long idleSince = System.nanoTime();
    while (open && !isOver()) {
      boolean last = random.nextInt(50) == 0;
      List<Question> batch = batch(last);
      if (random.nextInt(300) == 0) {
        hangUp(socket, batch);
        return;
      }
      if (System.nanoTime() - idleSince > LONGEST_IDLE) {
        return;
      }
      open = ask(socket, reader, batch);
      idleSince = System.nanoTime();
      if (last && open) {
        reader.readEnd();
      }
      open &= !last && random.nextInt(50) > 0;
    }
  }

  private List<Question> batch(boolean last) {
    int size = random.nextInt(4) == 0 ? 2 + random.nextInt(7) : 1;
    List<Question> batch = new ArrayList<>(size);
    for (int i = 1; i <= size; i++) {
      batch.add(questions.next(last && i == size));
    }
    return batch;
  }

  /** Gives false if the connection is over, as it may be. */
  private boolean ask(Socket socket, AnswerReader reader, List<Question> batch) throws IOException {
    boolean inPieces = random.nextInt(20) == 0;
    int answered = 0;
    long started = System.nanoTime();
    try {
      CompletableFuture<Void> written = write(socket, bytes(batch), inPieces);
      for (Question question : batch) {
        Answer answer = reader.read(question.isHead());
        answered++;
        check(question, answer);
        early = question.isAnsweredEarly();
        earlySince = started;
        if (answer.isLast() && answered < batch.size()) {
          throw new IOException("the server wants to close the connection");
        }
      }
      if (batch.size() == 1 && !inPieces) {
        tally.waited(batch.get(0), System.nanoTime() - started);
      }
      written.join();
      return true;
    } catch (IOException | CompletionException e) {
      List<Question> rest = batch.subList(answered, batch.size());
      if (early && System.nanoTime() - earlySince > BODY_AWAITED) {
        tally.cut.increment();
        tally.abandoned.add(rest.size());
        return false;
      }
      rest.forEach(tally::missing);
      String kinds = batch.stream().map(question -> question.kind.text()).collect(joining(", "));
      long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
      throw new IOException(
          "%d of %d answered in %d ms (%s): %s".formatted(answered, batch.size(), waited, kinds, e),
          e);
    }
  }

  private void check(Question question, Answer answer) {
    String fault = question.fault(answer);
    if (fault == null) {
      tally.right(question);
      questions.learn(question, answer);
    } else {
      tally.wrong(question, fault);
    }
  }

  private static byte[] bytes(List<Question> batch) {
    byte[] all = new byte[batch.stream().mapToInt(question -> question.bytes.length).sum()];
    int at = 0;
    for (Question question : batch) {
      System.arraycopy(question.bytes, 0, all, at, question.bytes.length);
      at += question.bytes.length;
    }
    return all;
  }

  /** Writes on another thread where answers must be read meanwhile, or both sides would wait. */
  private CompletableFuture<Void> write(Socket socket, byte[] bytes, boolean inPieces)
      throws IOException {
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
      // Single bytes at times: no border of the protocol is where one would like it.
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

  /** Leaves without a word, or by a reset, with a part of the requests sent. */
  private void hangUp(Socket socket, List<Question> batch) throws IOException {
    byte[] bytes = bytes(batch);
    int sent = Math.min(1 + random.nextInt(bytes.length), SURELY_TAKEN);
    socket.getOutputStream().write(bytes, 0, sent);
    pause(random.nextInt(3));
    if (random.nextBoolean()) {
      socket.setSoLinger(true, 0);
    }
    tally.abandoned.add(batch.size());
  }

  private static void pause(int milliseconds) {
    try {
      Thread.sleep(milliseconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

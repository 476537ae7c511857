package dev.percolate.benchmarks;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
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
  private final RequestWriter writer;
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
    this.writer = new RequestWriter(writers, random);
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
        RequestWriter.pause(
            100); // whoever listens no more shall not be asked a thousand times a second
      }
    }
  }

  private boolean isOver() {
    return System.nanoTime() - end >= 0;
  }

  /** Asks until this connection shall end. */
  private void talk(Socket socket) throws IOException {
    FramedAnswerReader reader = new FramedAnswerReader(socket.getInputStream());
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
  private boolean ask(Socket socket, FramedAnswerReader reader, List<Question> batch)
      throws IOException {
    boolean inPieces = random.nextInt(20) == 0;
    int answered = 0;
    long started = System.nanoTime();
    try {
      CompletableFuture<Void> written = writer.write(socket, bytes(batch), inPieces);
      for (Question question : batch) {
        FramedAnswer answer = reader.read(question.isHead());
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

  private void check(Question question, FramedAnswer answer) {
    String fault = question.fault(answer);
    if (fault == null) {
      tally.right(question);
      questions.learn(question, answer);
    } else {
      tally.wrong(question, fault);
    }
  }

  private static byte[] bytes(List<Question> batch) {
    return RequestWriter.joined(batch.stream().map(request -> request.bytes).toList());
  }

  /** Leaves without a word, or by a reset, with a part of the requests sent. */
  private void hangUp(Socket socket, List<Question> batch) throws IOException {
    byte[] bytes = bytes(batch);
    int sent = Math.min(1 + random.nextInt(bytes.length), RequestWriter.SURELY_TAKEN);
    socket.getOutputStream().write(bytes, 0, sent);
    RequestWriter.pause(random.nextInt(3));
    if (random.nextBoolean()) {
      socket.setSoLinger(true, 0);
    }
    tally.abandoned.add(batch.size());
  }
}

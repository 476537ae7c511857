package dev.percolate.reliability;

import static java.util.stream.Collectors.joining;

import dev.percolate.reliability.Question.Kind;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/**
 * Uses one connection at a time until its time is over. It sends one request after the other,
 * several at once, or in small pieces. It closes connections between requests, makes the server
 * close them, and sometimes disconnects within a request.
 */
final class MixedClient extends LoadClient {

  private final Questions questions;
  private final Tally tally;

  MixedClient(
      List<InetSocketAddress> servers,
      SplittableRandom random,
      long end,
      Executor writers,
      Set<Kind> kinds,
      Tally tally) {
    super(servers, random, end, writers, tally);
    this.questions = new Questions(random, kinds);
    this.tally = tally;
  }

  @Override
  void talk(Socket socket, FramedAnswerReader reader) throws IOException {
    long idleSince = System.nanoTime();
    boolean open = true;
    while (open && !isOver()) {
      boolean last = random.nextInt(50) == 0;
      List<Question> batch = batch(last);
      if (random.nextInt(300) == 0) {
        hangUp(socket, batch);
        return;
      }
      if (isIdle(idleSince)) {
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

  /** Returns false if the connection has ended as allowed. */
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
        answered(question.isAnsweredEarly(), started);
        if (answer.isLast() && answered < batch.size()) {
          throw new IOException("unexpected Connection: close");
        }
      }
      if (batch.size() == 1 && !inPieces) {
        tally.waited(batch.get(0), System.nanoTime() - started);
      }
      written.join();
      return true;
    } catch (IOException | CompletionException e) {
      List<Question> rest = batch.subList(answered, batch.size());
      if (isCut(rest.size())) {
        return false;
      }
      rest.forEach(tally::missing);
      String kinds = batch.stream().map(question -> question.kind.text()).collect(joining(", "));
      throw lost(answered, batch.size(), started, kinds, e);
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

  /** Disconnects or resets, after sending a part of the requests. */
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

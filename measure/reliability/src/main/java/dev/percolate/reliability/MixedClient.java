package dev.percolate.reliability;

import dev.percolate.reliability.Question.Kind;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;

/**
 * Uses one connection at a time until its time is over. It sends one request after the other,
 * several at once, or in small pieces. It closes connections between requests, makes the server
 * close them, and sometimes disconnects within a request.
 */
final class MixedClient extends LoadClient {

  private final Questions questions;

  MixedClient(
      List<InetSocketAddress> servers,
      SplittableRandom random,
      long end,
      Executor writers,
      Set<Kind> kinds,
      Tally tally) {
    super(servers, random, end, writers, tally);
    this.questions = new Questions(random, kinds);
  }

  @Override
  void talk(Socket socket, FramedResponseReader reader) throws IOException {
    long sent = System.nanoTime();
    boolean open = true;
    while (open && !isOver()) {
      boolean last = random.nextInt(50) == 0;
      List<LoadRequest> batch = batch(last);
      if (random.nextInt(300) == 0) {
        disconnect(socket, batch);
        return;
      }
      if (isIdle(sent)) {
        return;
      }
      sent = System.nanoTime();
      open = ask(socket, reader, batch, random.nextInt(20) == 0);
      if (last && open) {
        reader.readEnd();
      }
      open &= !last && random.nextInt(50) > 0;
    }
  }

  @Override
  void learn(LoadRequest request, FramedResponse response) {
    questions.learn((Question) request, response);
  }

  private List<LoadRequest> batch(boolean last) {
    int size = random.nextInt(4) == 0 ? 2 + random.nextInt(7) : 1;
    List<LoadRequest> batch = new ArrayList<>(size);
    for (int i = 1; i <= size; i++) {
      batch.add(questions.next(last && i == size));
    }
    return batch;
  }

  /** Disconnects or resets, after sending a part of the requests. */
  private void disconnect(Socket socket, List<LoadRequest> batch) throws IOException {
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

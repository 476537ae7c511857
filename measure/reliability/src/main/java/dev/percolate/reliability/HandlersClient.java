package dev.percolate.reliability;

import static java.util.stream.Collectors.joining;

import java.io.EOFException;
import java.io.IOException;
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

/**
 * Uses one connection after the other until its time is over. It sends one request after the other
 * or several at once, whole or in small pieces, and reads at varying speeds. Some connections end
 * badly: the client disconnects, resets or half-closes at any byte that it sends or reads.
 */
final class HandlersClient extends LoadClient {

  /** Less than the server's timeout, which starts only when the head has arrived. */
  private static final long ANSWER_AWAITED =
      TimeUnit.MILLISECONDS.toNanos(HandlerKind.ANSWER_MS * 9 / 10);

  /** The average number of request batches before a conversation. */
  private static final int LIVE = 12;

  private final List<HandlerKind> kinds;
  private final HandlersTally tally;
  private final LiveClient live;

  HandlersClient(
      List<InetSocketAddress> servers,
      SplittableRandom random,
      long end,
      Executor writers,
      List<HandlerKind> kinds,
      HandlersTally tally) {
    super(servers, random, end, writers, tally);
    this.kinds = kinds;
    this.tally = tally;
    this.live = new LiveClient(random, writer, tally, stops());
  }

  @Override
  boolean isSlow() {
    return random.nextInt(10) == 0;
  }

  @Override
  void talk(Socket socket, FramedAnswerReader reader) throws IOException {
    boolean open = true;
    long idleSince = System.nanoTime();
    while (open && !isOver()) {
      List<HandlerRequest> batch = batch();
      if (isIdle(idleSince)) {
        return;
      }
      if (random.nextInt(12) == 0) {
        leave(socket, reader, batch);
        return;
      }
      if (random.nextInt(LIVE) == 0) {
        open = live.talk(socket, reader);
        idleSince = System.nanoTime();
        continue;
      }
      open = ask(socket, reader, batch) && random.nextInt(50) > 0;
      idleSince = System.nanoTime();
    }
  }

  /** Creates some requests; a request whose connection is closed is the last. */
  private List<HandlerRequest> batch() {
    int size = random.nextInt(3) == 0 ? 2 + random.nextInt(7) : 1;
    List<HandlerRequest> batch = new ArrayList<>(size);
    do {
      batch.add(HandlerRequest.next(random, kinds));
    } while (batch.size() < size && last(batch).kind != HandlerKind.THROWS_MIDWAY);
    return batch;
  }

  /** Returns false if the connection has ended as allowed. */
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
        FramedAnswer answer = reader.read(false);
        take(request, answer, started);
        answered++;
        answered(request.kind.isAnsweredEarly(), started);
        if (stops() && answer.isLast()) {
          closed(batch.subList(answered, batch.size()));
          return false;
        }
      }
      written.join();
      return true;
    } catch (IOException | CompletionException e) {
      List<HandlerRequest> rest = batch.subList(answered, batch.size());
      if (isCut(rest.size())) {
        return false;
      }
      if (stops() && isEnd(e)) {
        closed(rest);
        return false;
      }
      rest.forEach(tally::missing);
      String requests = batch.stream().map(HandlerRequest::toString).collect(joining(", "));
      throw lost(answered, batch.size(), started, requests, e);
    }
  }

  /** Records requests on a connection that the server closed: none of them may have entered. */
  private void closed(List<HandlerRequest> unanswered) {
    unanswered.forEach(request -> tally.unanswered(request.id));
  }

  private void take(HandlerRequest request, FramedAnswer answer, long started) throws IOException {
    boolean mayBeLate = System.nanoTime() - started > ANSWER_AWAITED;
    String fault = request.fault(answer, mayBeLate);
    if (fault == null) {
      tally.right(request, HandlerRequest.isLate(answer));
      tally.live.topic.published(request.id, answer.header("x-topic-id"));
    } else {
      tally.wrong(request, fault);
    }
  }

  /** Reads a response that must end within its body. */
  private void expectCut(FramedAnswerReader reader, HandlerRequest request) throws IOException {
    try {
      FramedAnswer answer = reader.read(false);
      if (!HandlerRequest.isLate(answer)) {
        tally.wrong(request, "a complete response of " + answer.body().length + " bytes");
        return;
      }
    } catch (EOFException | SocketException cut) {
      if (stops()) {
        tally.abandoned.increment(); // perhaps stopped before the request entered
        return;
      }
    }
    tally.right(request, false);
  }

  /** Disconnects with requests and responses in flight; those that arrive before must be right. */
  private void leave(Socket socket, FramedAnswerReader reader, List<HandlerRequest> batch)
      throws IOException {
    Leaving leaving = Leaving.drawn(random);
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
        throw new IOException("no response or end after half-closing: " + batch, e);
      }
    } catch (EOFException | SocketException | CompletionException e) {
      // A client that disconnects need not get a response.
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
}

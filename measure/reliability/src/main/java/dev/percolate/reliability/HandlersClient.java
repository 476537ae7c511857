package dev.percolate.reliability;

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

/**
 * Uses one connection after the other until its time is over. It sends one request after the other
 * or several at once, whole or in small pieces, and reads at varying speeds. Some connections end
 * badly: the client disconnects, resets or half-closes at any byte that it sends or reads.
 */
final class HandlersClient extends LoadClient {

  /** The average number of request batches before a conversation. */
  private static final int LIVE = 12;

  private final List<HandlerKind> kinds;
  private final LiveTally conversations;
  private final LiveClient live;

  HandlersClient(
      List<InetSocketAddress> servers,
      SplittableRandom random,
      long end,
      Executor writers,
      List<HandlerKind> kinds,
      Tally tally,
      LiveTally conversations) {
    super(servers, random, end, writers, tally);
    this.kinds = kinds;
    this.conversations = conversations;
    this.live = new LiveClient(random, writer, tally, conversations, stops());
  }

  @Override
  boolean isSlow() {
    return random.nextInt(10) == 0;
  }

  @Override
  void talk(Socket socket, FramedResponseReader reader) throws IOException {
    boolean open = true;
    long sent = System.nanoTime();
    while (open && !isOver()) {
      List<LoadRequest> batch = batch();
      if (isIdle(sent)) {
        return;
      }
      sent = System.nanoTime();
      if (random.nextInt(12) == 0) {
        leave(socket, reader, batch);
        return;
      }
      if (random.nextInt(LIVE) == 0) {
        open = live.talk(socket, reader);
      } else {
        open = ask(socket, reader, batch, random.nextInt(8) == 0) && random.nextInt(50) > 0;
      }
    }
  }

  /** Creates some requests; a request whose connection is closed is the last. */
  private List<LoadRequest> batch() {
    int size = random.nextInt(3) == 0 ? 2 + random.nextInt(7) : 1;
    List<LoadRequest> batch = new ArrayList<>(size);
    do {
      batch.add(HandlerRequest.next(random, kinds));
    } while (batch.size() < size && !batch.get(batch.size() - 1).isCutShort());
    return batch;
  }

  @Override
  void learn(LoadRequest request, FramedResponse response) {
    conversations.topic.published(request.id(), response.header("x-topic-id"));
  }

  /** Disconnects with requests and responses in flight; those that arrive before must be right. */
  private void leave(Socket socket, FramedResponseReader reader, List<LoadRequest> batch)
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
      for (LoadRequest request : batch.subList(0, reads)) {
        FramedResponse response = reader.read(false);
        answered++;
        take(request, response, started);
      }
      RequestWriter.pause(random.nextInt(3));
    } catch (ProtocolException e) {
      LoadRequest request = batch.get(answered);
      tally.wrong(request.kind(), request, String.valueOf(e.getMessage()));
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
}

package dev.percolate.reliability;

import java.io.IOException;
import java.net.ProtocolException;
import java.net.Socket;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Begins conversations on connections of a client, and checks them. */
final class LiveClient {

  private static final int LONGEST_SERIES = 30;

  private final SplittableRandom random;
  private final RequestWriter writer;
  private final Tally clients;
  private final LiveTally tally;
  private final boolean stops;

  /** The number of the topic's message that this client has seen last. */
  private long seen;

  /**
   * Creates the conversations of one client.
   *
   * @param clients the counts of all clients
   * @param tally the counts of their conversations
   * @param stops whether servers are stopped meanwhile, and so may end any conversation
   */
  LiveClient(
      SplittableRandom random,
      RequestWriter writer,
      Tally clients,
      LiveTally tally,
      boolean stops) {
    this.random = random;
    this.writer = writer;
    this.clients = clients;
    this.tally = tally;
    this.stops = stops;
  }

  /** Holds a conversation; returns true if the connection can be used afterwards. */
  boolean talk(Socket socket, FramedResponseReader reader) throws IOException {
    LiveKind kind = LiveKind.drawn(random);
    String id = Long.toHexString(random.nextLong());
    LiveSeries series = LiveSeries.drawn(random, kind, id, LONGEST_SERIES);
    boolean back = kind.isTopic() && random.nextInt(4) > 0 && tally.topic.isKeptSince(seen);
    long since = back ? seen : 0;
    LiveRequest request = new LiveRequest(random, kind, id, series.query(), since);
    if (random.nextInt(20) == 0) {
      giveUp(socket, request);
      return false;
    }
    try {
      FramedResponse head = begin(socket, reader, request);
      if (head == null) {
        return false;
      }
      String fault = request.fault(head);
      if (fault != null) {
        throw new ProtocolException(fault);
      }
      LiveLine line = new LiveLine(socket, reader, writer, random);
      if (kind.isSocket()) {
        SocketConversation conversation =
            new SocketConversation(
                request, line, series, tally, stops, since, LiveRequest.isCompressed(head));
        conversation.hold();
        seen = Math.max(seen, conversation.seen());
        return false;
      }
      EventConversation conversation =
          new EventConversation(request, line, series, tally, stops, since);
      boolean open = conversation.hold() && !head.isLast();
      seen = Math.max(seen, conversation.seen());
      return open;
    } catch (ProtocolException e) {
      tally.wrong(request, String.valueOf(e.getMessage()));
      return false;
    } catch (IOException | CompletionException e) {
      tally.missing(request);
      throw new IOException(request + ": " + e, e);
    }
  }

  /** Returns the head of the response, or null if the server closed the connection before. */
  private @Nullable FramedResponse begin(
      Socket socket, FramedResponseReader reader, LiveRequest request) throws IOException {
    try {
      writer.write(socket, request.bytes, random.nextInt(8) == 0).join();
      return reader.read(true);
    } catch (IOException | CompletionException e) {
      if (!stops || !LoadClient.isEnd(e)) {
        throw e;
      }
      clients.unanswered(request.id);
      return null;
    }
  }

  /** Disconnects after sending any part of the request. */
  private void giveUp(Socket socket, LiveRequest request) throws IOException {
    tally.abandoned(request);
    int sent = 1 + random.nextInt(request.bytes.length);
    socket.getOutputStream().write(Arrays.copyOf(request.bytes, sent));
    RequestWriter.pause(random.nextInt(3));
    Leaving.drawn(random).prepare(socket);
  }
}

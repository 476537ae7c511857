package dev.percolate.reliability;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.percolate.http.CloseCode;
import dev.percolate.http.Frame;
import dev.percolate.reliability.SocketReader.Incoming;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Converses over a WebSocket, and checks everything it receives. */
final class SocketConversation {

  /** Standard close codes (RFC 6455 section 7.4), used in addition to private ones. */
  private static final List<Integer> CODES =
      List.of(CloseCode.NONE, 1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011);

  private static final int FIRST_OWN_CODE = 3000;
  private static final int OWN_CODES = 2000;
  private static final int MOST_MESSAGES = 12;

  /** A time in which the server surely waits for the reply to its close frame. */
  private static final long GOODBYE = TimeUnit.SECONDS.toNanos(4);

  private final LiveRequest request;
  private final LiveLine line;
  private final LiveSeries series;
  private final LiveTally tally;
  private final boolean stops;
  private final SocketReader frames;
  private final boolean compressed;
  private final TopicReading reading;
  private final LiveCounts counts = new LiveCounts();
  private final Deque<LiveMessage> expected = new ArrayDeque<>();
  private final Deque<byte[]> pings = new ArrayDeque<>();
  private CompletableFuture<Void> written = CompletableFuture.completedFuture(null);

  /** Whether this side disconnected, perhaps within a frame, and so cannot close. */
  private boolean left;

  /** The close code that this side sent, or 0. */
  private int closed;

  /**
   * Creates a conversation after its handshake.
   *
   * @param stops whether the server may end it at any time
   * @param since the number of the topic's message that was seen last, or 0
   * @param compressed whether compression was negotiated
   */
  SocketConversation(
      LiveRequest request,
      LiveLine line,
      LiveSeries series,
      LiveTally tally,
      boolean stops,
      long since,
      boolean compressed) {
    this.request = request;
    this.line = line;
    this.series = series;
    this.tally = tally;
    this.stops = stops;
    this.frames = new SocketReader(line.reader().rest(), compressed);
    this.compressed = compressed;
    this.reading = new TopicReading(request, tally.topic, since, line.random());
    this.expected.addAll(series.messages());
  }

  /** Decides before each frame whether to stop reading. */
  @FunctionalInterface
  private interface End {
    boolean reached() throws IOException;
  }

  /** Converses to the end, or disconnects. */
  void hold() throws IOException {
    long since = System.nanoTime();
    try {
      converse();
    } catch (EOFException | SocketException | SocketTimeoutException e) {
      throw new IOException(e + state(since), e);
    } catch (ProtocolException e) {
      throw new ProtocolException(e.getMessage() + state(since));
    }
  }

  /** Returns the progress of the conversation, for error messages. */
  private String state(long since) {
    return " after %d ms: sent %d, %d B%s, received %d, %d B, %d and %d pongs due, closed by %d"
        .formatted(
            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since),
            counts.sent,
            counts.bytesSent,
            written.isDone() ? "" : " incomplete",
            counts.received,
            frames.bytes(),
            expected.size(),
            pings.size(),
            closed);
  }

  private void converse() throws IOException {
    boolean leaves = random(4) == 0;
    if (request.kind.isTopic()) {
      listen(leaves);
    } else if (request.kind.isEcho()) {
      talk(leaves);
    } else {
      hear(leaves);
    }
  }

  /** Returns the number of the topic's message that was seen last. */
  long seen() {
    return reading.seen();
  }

  /** Sends messages in rounds, each of which is echoed before the next one. */
  private void talk(boolean leaves) throws IOException {
    for (int rounds = random(5); rounds >= 0; rounds--) {
      List<LiveMessage> messages = messages();
      SocketRound round = round(messages);
      if (rounds == 0 && leaves) {
        expected.addAll(messages);
        leave(round);
        return;
      }
      expected.addAll(messages);
      if (rounds == 0 && random(3) == 0) {
        close(round, messages.size());
        return;
      }
      send(round, messages.size());
      if (!take(() -> expected.isEmpty() && pings.isEmpty())) {
        return;
      }
    }
    close(round(List.of()), 0);
  }

  /** Receives a series; then or before its end this side or the server closes. */
  private void hear(boolean leaves) throws IOException {
    SocketRound round = round(List.of());
    for (int i = random(8); i > 0; i--) {
      round.ping();
    }
    if (leaves) {
      leave(round);
      return;
    }
    send(round, 0);
    boolean early = random(4) == 0;
    int wanted = early ? random(series.messages().size() + 1) : series.messages().size();
    boolean waits = series.code() > 0 && !early;
    if (take(() -> !waits && counts.received >= wanted)) {
      close(round(List.of()), 0);
    }
  }

  /** Receives messages of the topic for some time. */
  private void listen(boolean leaves) throws IOException {
    try {
      while (!reading.isOver()) {
        if (line.awaitInput(reading.lookAgain()) && !takeOne()) {
          return;
        }
        if (leaves && random(10) == 0) {
          leave(round(List.of()));
          return;
        }
      }
      close(round(List.of()), 0);
    } finally {
      reading.end();
    }
  }

  private List<LiveMessage> messages() {
    return LiveMessage.series(request.id, line.random().nextLong(), 1 + random(MOST_MESSAGES));
  }

  private SocketRound round(List<LiveMessage> messages) {
    SocketRound round = new SocketRound(line.random(), compressed);
    messages.forEach(round::add);
    return round;
  }

  private void send(SocketRound round, int messages) throws IOException {
    byte[] bytes = round.bytes();
    pings.addAll(round.pings);
    counts.sent += messages;
    counts.bytesSent += bytes.length;
    written.join();
    written = line.write(bytes);
  }

  /** Closes after the last messages, and reads until the server has closed, too. */
  private void close(SocketRound round, int messages) throws IOException {
    int drawn = random(2 * CODES.size());
    int code = drawn < CODES.size() ? CODES.get(drawn) : FIRST_OWN_CODE + random(OWN_CODES);
    round.close(CloseCode.payload(code, random(2) == 0 ? "" : "the client has seen enough"));
    closed = code;
    send(round, messages);
    if (take(() -> false)) {
      throw new IllegalStateException("unreachable");
    }
  }

  /** Reads messages; returns false if the server closed before the end was reached. */
  private boolean take(End end) throws IOException {
    while (!end.reached()) {
      if (!takeOne()) {
        return false;
      }
    }
    return true;
  }

  /** Reads one message or control frame; returns false if it was the last one. */
  private boolean takeOne() throws IOException {
    Incoming incoming = frames.next();
    switch (incoming.opcode) {
      case Frame.CLOSE -> {
        end(incoming.content);
        return false;
      }
      case Frame.PONG -> checkPong(incoming.content);
      case Frame.PING -> throw new ProtocolException("a ping without a silence of the client");
      default -> check(new LiveMessage(incoming.opcode == Frame.TEXT, incoming.content));
    }
    return true;
  }

  private void check(LiveMessage message) throws ProtocolException {
    if (request.kind.isTopic()) {
      reading.take(message.asText());
    } else {
      LiveMessage right = expected.poll();
      if (right == null || !right.equalTo(message)) {
        throw new ProtocolException(
            "message %d is %s for %s".formatted(counts.received, message, right));
      }
    }
    counts.received++;
  }

  private void checkPong(byte[] content) throws ProtocolException {
    byte[] right = pings.poll();
    if (right == null || !Arrays.equals(right, content)) {
      throw new ProtocolException("a pong without a ping");
    }
  }

  /** Handles a close frame: replies if the server closed first, and waits for the end. */
  private void end(byte[] payload) throws IOException {
    long since = System.nanoTime();
    int code =
        payload.length < 2 ? CloseCode.NONE : ((payload[0] & 0xFF) << 8) | (payload[1] & 0xFF);
    checkCode(
        code,
        new String(
            payload,
            Math.min(2, payload.length),
            payload.length - Math.min(2, payload.length),
            UTF_8));
    if (left) {
      ended(LiveTally.End.BAD, code);
      return;
    }
    try {
      written.join();
      if (closed == 0) {
        SocketRound response = round(List.of());
        response.close(Arrays.copyOf(payload, Math.min(2, payload.length)));
        send(response, 0);
        written.join();
      }
      line.reader().readEnd();
    } catch (EOFException | SocketException | CompletionException e) {
      if (System.nanoTime() - since < GOODBYE) {
        throw e;
      }
      ended(LiveTally.End.BAD, code); // the reply was late, and the server did not wait
      return;
    }
    ended(LiveTally.End.CLEAN, code);
  }

  private void checkCode(int code, String reason) throws ProtocolException {
    boolean response = closed > 0 && code == (closed == CloseCode.NONE ? CloseCode.NORMAL : closed);
    boolean over = expected.isEmpty() && series.code() > 0 && code == series.code();
    boolean slow = request.kind.isTopic() && code == CloseCode.TRY_AGAIN;
    boolean stop = stops && code == CloseCode.GOING_AWAY;
    if (!response && !over && !slow && !stop) {
      throw new ProtocolException("closed by %d, \"%s\"".formatted(code, reason));
    }
  }

  /** Disconnects after sending any part of a round; messages that arrive before must be right. */
  private void leave(SocketRound round) throws IOException {
    Leaving leaving = Leaving.drawn(line.random());
    byte[] bytes = round.bytes();
    int sent = random(bytes.length + 1);
    counts.sent += round.messagesIn(sent);
    counts.bytesSent += sent;
    pings.addAll(round.pings);
    long wanted = leaving == Leaving.CLOSE_HALF ? Long.MAX_VALUE : counts.received + random(4);
    left = true;
    try {
      written.join();
      written = line.write(Arrays.copyOf(bytes, sent));
      if (leaving == Leaving.CLOSE_HALF) {
        written = written.thenRun(this::closeHalf);
      } else {
        line.socket().setSoTimeout(1 + random(200));
      }
      if (!take(() -> counts.received >= wanted)) {
        return; // the server closed first
      }
    } catch (SocketTimeoutException e) {
      if (leaving == Leaving.CLOSE_HALF) {
        throw new IOException("no response or end after half-closing", e);
      }
    } catch (EOFException | SocketException | CompletionException e) {
      // A client that disconnects need not get a response.
    }
    leaving.prepare(line.socket());
    ended(LiveTally.End.BAD, 0);
  }

  private void closeHalf() {
    try {
      line.socket().shutdownOutput();
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private void ended(LiveTally.End end, int code) {
    counts.bytesReceived = frames.bytes();
    tally.right(request, end, code, counts);
  }

  private int random(int bound) {
    return line.random().nextInt(bound);
  }
}

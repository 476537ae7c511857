package dev.percolate.nio;

import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.Exchange;
import dev.percolate.http.ConnectionOptions;
import dev.percolate.http.Headers;
import dev.percolate.nio.protocol.FilePump;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * The response of an exchange as it is written. Used on the event loop only, except that another
 * thread may set the head, and may then write a short complete response itself.
 *
 * <pre>
 *   OPEN --start--> HEAD --first bytes--> BODY --last bytes--> ENDED
 *     |              |                                           ^
 *     |              +--complete, or 500 for an invalid head-----+
 *     +--upgrade------------------------> BODY
 * </pre>
 *
 * <p>A complete response is written by the thread that sends it if nothing else must be written
 * before it ({@link NioExchange#serve}) and the loop need not know of it. If the system accepts
 * only a part, the loop writes the rest: HEAD, then BODY, then ENDED. All other responses are
 * written by the loop, after the parts that are queued there.
 */
final class NioResponse implements Exchange.OnWritten {

  private static final System.Logger LOG = System.getLogger("dev.percolate.nio");
  private static final int SWITCHING = 101;

  /** The index in the size line of a chunk at which the digits end. */
  private static final int SIZE_DIGITS = 8;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();
  private static final byte[] LINE_END = {'\r', '\n'};
  private static final byte[] LAST_CHUNK = {'0', '\r', '\n', '\r', '\n'};
  private static final byte[] CONTINUE =
      "HTTP/1.1 100 Continue\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

  private final NioExchange exchange;
  private final NioConnection connection;
  private int status;
  private @Nullable Headers headers;
  private State state = State.OPEN;
  private boolean chunked;
  private boolean bodyless;
  private boolean closes;

  /** Where the head begins in the output of the connection; -1 before it is written there. */
  private long headAt = -1;

  /** Whether a thread other than the loop's has written a part of the response. */
  private volatile boolean partSent;

  /** Why the response failed, although an error response was sent instead. */
  private @Nullable Throwable failure;

  private enum State {
    /** No response has been set. */
    OPEN,
    /** The head has been set, and can still be replaced. */
    HEAD,
    /** The head has been written. */
    BODY,
    /** The complete response has been passed to the connection. */
    ENDED
  }

  /** How much of a response was written by a thread other than the loop's. */
  enum Written {
    NOTHING,
    /** The loop writes the rest. */
    PART,
    ALL
  }

  NioResponse(NioExchange exchange, NioConnection connection) {
    this.exchange = exchange;
    this.connection = connection;
  }

  /** Sets the head, which is sent with the first bytes of the body. */
  void start(int with, Headers lines) {
    status = with;
    headers = lines;
    if (state == State.OPEN) {
      state = State.HEAD;
    }
  }

  /** Returns true if the head has been set. */
  boolean isStarted() {
    return state != State.OPEN;
  }

  /** Makes this the last response of its connection. */
  void closes() {
    closes = true;
  }

  /** Returns true if the complete response has been passed to the connection. */
  boolean ended() {
    return state == State.ENDED;
  }

  /**
   * Returns true if the system has accepted a part of the head, or still can because the connection
   * is open.
   */
  boolean isHeadSent() {
    return partSent
        || (headAt >= 0 && (connection.isOpen() || connection.output().written() > headAt));
  }

  /** Returns the status code of what was sent: 500 for a head that could not be written. */
  int sentStatus(int started) {
    return failure == null ? started : 500;
  }

  /** Sends {@code 100 Continue} unless the response has begun. */
  void writeContinue() {
    if (!isStarted() && connection.takesResponses()) {
      connection.output().put(CONTINUE, 0, CONTINUE.length);
      connection.flushLater();
    }
  }

  /**
   * Writes the complete response on the calling thread, which may be any thread. No other output
   * may be waiting on the connection or be written at the same time.
   *
   * @return how much was written
   */
  Written writeDirectly(DirectWriter.Pool writers, ByteBuffer last) throws IOException {
    SocketChannel channel = connection.transport().direct();
    Headers from = headers;
    if (channel == null
        || connection.loop().gathersResponses()
        || from == null
        || closes
        || exchange.isOld()
        || connection.limits().isShuttingDown()) {
      return Written.NOTHING;
    }
    if (exchange.isLast() || from.contains("Connection")) {
      return Written.NOTHING; // the loop must know that
    }
    DirectWriter writer = writers.take();
    if (writer == null) {
      return Written.NOTHING;
    }
    try {
      return writeWith(writer, channel, from, last);
    } finally {
      writers.give(writer);
    }
  }

  private Written writeWith(
      DirectWriter writer, SocketChannel channel, Headers from, ByteBuffer last)
      throws IOException {
    try {
      encode(writer.head(), from, last.remaining());
    } catch (RuntimeException e) {
      return Written.NOTHING; // it fails there too, and is handled there
    }
    ByteBuffer body = bodyless ? NOTHING : last;
    if (!writer.fits(body.remaining())) {
      return Written.NOTHING;
    }
    int size = writer.head().size() + body.remaining();
    byte[] rest = writer.write(channel, body);
    partSent = rest == null || rest.length < size;
    headers = null;
    if (rest == null) {
      state = State.ENDED;
      return Written.ALL;
    }
    state = State.BODY;
    exchange.onLoop(() -> endWith(rest), exchange::hungUp);
    return Written.PART;
  }

  /** Ends with bytes that the system has not accepted yet. */
  private void endWith(byte[] rest) {
    if (!connection.takesResponses()) {
      exchange.over(new ClientDisconnectedException(null));
      return;
    }
    beginning().put(ByteBuffer.wrap(rest));
    ended(null);
  }

  /** Sends the head that upgrades the connection. Later output is sent unchanged. */
  void upgrade(Headers lines) {
    if (!connection.takesResponses() || ended()) {
      return;
    }
    HeadWriter head = connection.loop().heads();
    try {
      head.begin(SWITCHING);
      for (int i = 0; i < lines.size(); i++) {
        if (!isConnection(lines.name(i))) {
          head.line(lines.name(i), lines.value(i));
        }
      }
      head.line("Connection", "Upgrade");
      head.end();
    } catch (RuntimeException e) {
      giveUp(e);
      return;
    }
    state = State.BODY;
    beginning().put(head.bytes(), 0, head.size());
    connection.flushLater();
    connection.handedOver();
  }

  void write(ByteBuffer bytes, Exchange.OnWritten callback) {
    if (!connection.takesResponses() || ended()) {
      callback.written(new ClientDisconnectedException(null));
      return;
    }
    try {
      writeHead(HeadParser.NO_BODY);
    } catch (RuntimeException e) {
      giveUp(e);
      callback.written(e);
      return;
    }
    writePiece(bytes);
    connection.output().mark(exchange.owed(callback));
    connection.flushLater();
  }

  void end(ByteBuffer last) {
    if (!connection.takesResponses() || ended()) {
      exchange.over(new ClientDisconnectedException(null));
      return;
    }
    closes |= state == State.HEAD && exchange.leavesBody();
    if (exchange.isUpgraded() && exchange.hasMore()) {
      exchange.skipsInput(); // closing a connection with unread bytes would reset it
    }
    try {
      writeHead(last.remaining());
    } catch (RuntimeException e) {
      giveUp(e);
      return;
    }
    writePiece(last);
    if (chunked && !bodyless) {
      connection.output().put(LAST_CHUNK, 0, LAST_CHUNK.length);
    }
    ended(null);
  }

  void sendFile(FileChannel file, long offset, long length) {
    if (!connection.takesResponses() || ended()) {
      FilePump.close(file);
      exchange.over(new ClientDisconnectedException(null));
      return;
    }
    closes |= state == State.HEAD && exchange.leavesBody();
    try {
      writeHead(length);
    } catch (RuntimeException e) {
      FilePump.close(file);
      giveUp(e);
      return;
    }
    if (bodyless || length == 0) {
      FilePump.close(file);
    } else {
      connection.send(file, offset, length);
    }
    ended(null);
  }

  /** Called when everything has been written. The exchange is notified when it has been sent. */
  private void ended(@Nullable Throwable cause) {
    state = State.ENDED;
    failure = cause;
    exchange.owes();
    connection.output().endResponse();
    connection.output().mark(this);
    connection.flushLater();
    connection.reader().answered(exchange);
  }

  /** Notifies the exchange that everything has been sent or has failed. */
  @Override
  public void written(@Nullable Throwable lost) {
    try {
      exchange.pays();
    } finally {
      exchange.over(failure == null ? lost : failure);
    }
  }

  /** Sends a 500 response in place of one whose head cannot be written. */
  private void giveUp(RuntimeException cause) {
    LOG.log(Level.ERROR, "invalid response; sent 500 instead", cause);
    HeadWriter head = connection.loop().heads();
    head.begin(500);
    head.length(0);
    head.date();
    head.close();
    head.end();
    beginning().put(head.bytes(), 0, head.size());
    connection.last();
    ended(cause);
  }

  /** Returns the output, to which the response is written from here on. */
  private Output beginning() {
    Output output = connection.output();
    headAt = output.written() + output.pending();
    return output;
  }

  private void writePiece(ByteBuffer bytes) {
    if (bodyless || !bytes.hasRemaining()) {
      return;
    }
    Output output = connection.output();
    if (chunked) {
      writeSize(output, bytes.remaining());
      output.put(bytes);
      output.put(LINE_END, 0, LINE_END.length);
    } else {
      output.put(bytes);
    }
  }

  private static void writeSize(Output output, int size) {
    byte[] line = new byte[SIZE_DIGITS + LINE_END.length];
    int at = SIZE_DIGITS;
    for (int rest = size; rest > 0; rest >>>= 4) {
      line[--at] = (byte) Character.forDigit(rest & 15, 16);
    }
    line[SIZE_DIGITS] = '\r';
    line[SIZE_DIGITS + 1] = '\n';
    output.put(line, at, line.length - at);
  }

  /**
   * Writes the head if it has not been written.
   *
   * @param length the length of the body, used if the headers do not contain it; {@link
   *     HeadParser#NO_BODY} if unknown
   * @throws IllegalArgumentException if the headers are invalid
   */
  private void writeHead(long length) {
    Headers from = headers;
    if (state != State.HEAD || from == null) {
      return;
    }
    HeadWriter head = connection.loop().heads();
    encode(head, from, length);
    headers = null;
    state = State.BODY;
    beginning().put(head.bytes(), 0, head.size());
  }

  private void encode(HeadWriter head, Headers from, long length) {
    head.begin(status);
    bodyless = exchange.isHead() || status == 204 || status == 304 || status == SWITCHING;
    boolean framed = false;
    boolean dated = false;
    boolean named = false;
    for (int i = 0; i < from.size(); i++) {
      String name = from.name(i);
      switch (name.length()) {
        case 4 -> dated |= name.equalsIgnoreCase("Date");
        case 14 -> framed |= name.equalsIgnoreCase("Content-Length");
        default -> {}
      }
      if (isConnection(name)) {
        named = true;
      } else if (!isHopByHop(name)) {
        head.line(name, from.value(i));
      }
    }
    frame(head, framed, length);
    if (!dated) {
      head.date();
    }
    writeConnection(head, named ? from : null);
    head.end();
  }

  /**
   * Declares the end of the body: by its length, by chunks, or for HTTP/1.0 by closing the
   * connection.
   */
  private void frame(HeadWriter head, boolean framed, long length) {
    if (framed || bodyless) {
      return;
    }
    if (length >= 0) {
      head.length(length);
    } else if (exchange.isOld()) {
      closes = true;
    } else {
      chunked = true;
      head.chunked();
    }
  }

  private void writeConnection(HeadWriter head, @Nullable Headers set) {
    if (closes
        || connection.limits().isShuttingDown()
        || exchange.isLast()
        || (set != null && ConnectionOptions.close(set))) {
      if (set != null && ConnectionOptions.upgrade(set)) {
        head.line("Connection", "Upgrade, close"); // a 426 needs both (RFC 9110 section 7.8)
      } else {
        head.close();
      }
      connection.last();
      return;
    }
    String asked = set == null ? null : set.get("Connection");
    if (asked != null) {
      head.line("Connection", asked);
    } else if (exchange.isOld()) {
      head.keepAlive();
    }
  }

  private static boolean isConnection(String name) {
    return name.length() == 10 && name.equalsIgnoreCase("Connection");
  }

  /** Returns true for headers that only the engine writes, for framing and keep-alive. */
  private static boolean isHopByHop(String name) {
    return switch (name.length()) {
      case 10 -> name.equalsIgnoreCase("Keep-Alive");
      case 17 -> name.equalsIgnoreCase("Transfer-Encoding");
      default -> false;
    };
  }
}

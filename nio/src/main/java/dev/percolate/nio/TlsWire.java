package dev.percolate.nio;

import dev.percolate.http.LogText;
import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * TLS, by the engine of the JDK.
 *
 * <pre>
 *   HELLO --first record whole--> AGREES --agreed--> OPEN
 *     |  ^                         |  ^
 *     v  | a place is free         v  | computed
 *    WAITS                      COMPUTES
 * </pre>
 *
 * <p>A handshake has a place among those of its server once its hello has come, and others wait
 * unread until one is free; meanwhile a client that does not do its part gets little time. What a
 * handshake has to compute is done by other threads. Memory for what is encrypted is the loop's; a
 * connection has some of its own only while a record is not whole, or not taken by the kernel.
 */
final class TlsWire implements Wire {

  private static final System.Logger LOG = System.getLogger("dev.percolate.nio");

  /** How long one client may keep the others waiting, with many records. */
  private static final long TURN = TimeUnit.MICROSECONDS.toNanos(500);

  /** How long a client may take for its part of a handshake while others wait for a place. */
  private static final long HURRY = TimeUnit.SECONDS.toNanos(1);

  /** How many records without anything in them may follow each other. */
  private static final int MOST_EMPTY = 16;

  /** The most bytes of a handshake: some certificates of a client have a few thousand. */
  private static final int MOST_HANDSHAKE = 128 << 10;

  private static final int HEAD = 5;
  private static final int HANDSHAKE = 22;
  private static final byte[] NOTHING = {};

  private final SocketChannel channel;
  private final NioLoop loop;
  private final LoopMemory memory;
  private final Handshakes handshakes;
  private final TlsOutput output;
  private final Runnable wake;
  private final Runnable placeIsFree;
  private Phase phase = Phase.HELLO;
  private boolean hasPlace;
  private @Nullable SSLEngine engine;

  /** What has come of a record that is not whole, or of whole ones that wait for their turn. */
  private byte[] kept = NOTHING;

  private int keptCount;

  /** What is decrypted, but was more than was wanted at once; at most a record. */
  private byte[] rest = NOTHING;

  private int empty;
  private int handshakeBytes;
  private long clientsTurn;

  /** Whether there is something to be read although nothing need come. */
  private boolean again;

  /** Whether the engine has to say something first, for which the kernel has no room. */
  private boolean blocked;

  private boolean inputEnded;
  private boolean outputEnded;
  private volatile boolean closed;

  private enum Phase {
    HELLO,
    WAITS,
    AGREES,
    COMPUTES,
    OPEN
  }

  /**
   * Creates the TLS of a connection.
   *
   * @param wake is called on the loop when there is something to be read that had to wait
   */
  TlsWire(SocketChannel channel, NioLoop loop, Handshakes handshakes, Runnable wake) {
    this.channel = channel;
    this.loop = loop;
    this.memory = loop.memory();
    this.handshakes = handshakes;
    this.output = new TlsOutput(channel, loop.memory());
    this.wake = wake;
    this.placeIsFree = () -> loop.execute(this::place, handshakes::leave);
  }

  @Override
  public int read(int most) throws IOException {
    if (outputEnded) {
      return channel.read(memory.in().clear()); // nobody wants to know what it is
    }
    again = false;
    if (!takesInput()) {
      return 0;
    }
    try {
      ByteBuffer plain = memory.tls().plain().clear().put(rest);
      boolean over = rest.length == 0 && !decrypt(plain, most);
      int count = Math.min(most, plain.position());
      keepRest(plain, count);
      return count == 0 && (over || inputEnded) ? endOfInput() : count;
    } catch (IOException e) {
      failed(e);
      throw e;
    } catch (RuntimeException e) { // of the JDK, which did not expect what has come
      failed(e);
      throw new IOException(e);
    }
  }

  /** Keeps what is decrypted, and more than is wanted at once. */
  private void keepRest(ByteBuffer plain, int from) {
    int count = plain.position() - from;
    again |= count > 0 || rest.length > 0; // behind it, there may be more
    rest = count > 0 ? new byte[count] : NOTHING;
    plain.get(from, rest);
  }

  /** Returns the end of the input; a client that goes without a word has hung up. */
  private int endOfInput() throws IOException {
    SSLEngine tls = engine;
    if (!inputEnded) {
      throw new EOFException("no close_notify");
    } else if (tls != null && tls.isOutboundDone()) {
      throw new EOFException(
          "up to TLS 1.2, both directions end at once"); // RFC 5246 section 7.2.1
    }
    return -1;
  }

  /** Decrypts what has come; tells whether more may come. */
  private boolean decrypt(ByteBuffer plain, int most) throws IOException {
    ByteBuffer in = memory.in().clear();
    int count = 0;
    if (!isWhole(kept, 0, keptCount)) {
      count = channel.read(in.limit(wanted(most)));
    }
    in.flip();
    if (isStillPart(in)) {
      return count >= 0;
    }
    ByteBuffer received = memory.tls().received().clear();
    received.put(kept, 0, keptCount).put(in).flip();
    long begun = System.nanoTime();
    boolean late = false;
    while (!late && advance(received, plain, most)) {
      late = System.nanoTime() - begun > TURN;
    }
    keep(received);
    again |= inputEnded ? plain.position() > 0 : late || isWhole(kept, 0, keptCount);
    return count >= 0;
  }

  /** Does the next thing that can be done; tells whether there may be more. */
  private boolean advance(ByteBuffer received, ByteBuffer plain, int most) throws IOException {
    SSLEngine tls = engine == null ? begin(received) : engine;
    if (tls == null) {
      return false;
    }
    HandshakeStatus status = tls.getHandshakeStatus();
    if (status == HandshakeStatus.NEED_TASK) {
      compute(tls);
      return false;
    } else if (status == HandshakeStatus.NEED_WRAP) {
      blocked = !output.speak(tls);
      return !blocked;
    } else if (status == HandshakeStatus.NOT_HANDSHAKING && phase == Phase.AGREES) {
      phase = Phase.OPEN;
      leavePlace();
    }
    if (inputEnded || plain.position() >= most || !isWhole(received)) {
      return false;
    }
    return unwrap(tls, received, plain);
  }

  /** Begins a handshake, if there is a hello and a place for it. */
  private @Nullable SSLEngine begin(ByteBuffer received) throws IOException {
    if (received.hasRemaining() && received.get(received.position()) != HANDSHAKE) {
      throw new SSLException("no TLS");
    } else if (!isWhole(received)) {
      return null;
    }
    if (!hasPlace) {
      hasPlace = handshakes.enter(placeIsFree);
      if (!hasPlace) {
        phase = Phase.WAITS;
        return null;
      }
    }
    SSLEngine created = handshakes.create();
    created.beginHandshake();
    engine = created;
    phase = Phase.AGREES;
    clientsTurn = System.nanoTime();
    return created;
  }

  /** Has a place from now on; on the loop. */
  private void place() {
    if (closed) {
      handshakes.leave();
    } else {
      hasPlace = true;
      goOn(Phase.HELLO);
    }
  }

  private void leavePlace() {
    if (hasPlace) {
      hasPlace = false;
      handshakes.leave();
    }
  }

  /** Has other threads do what takes too long for a loop. */
  private void compute(SSLEngine tls) throws IOException {
    if (phase == Phase.OPEN) {
      throw new SSLException("renegotiation");
    }
    handshakes.compute(
        () -> {
          try {
            computeNow(tls);
          } finally {
            loop.execute(this::computed, handshakes::leave);
          }
        });
    phase = Phase.COMPUTES;
  }

  private void computeNow(SSLEngine tls) {
    for (Runnable task = tls.getDelegatedTask();
        task != null && !closed;
        task = tls.getDelegatedTask()) {
      task.run();
    }
  }

  private void computed() {
    if (closed) {
      leavePlace();
    } else {
      clientsTurn = System.nanoTime();
      goOn(Phase.AGREES);
    }
  }

  private void goOn(Phase with) {
    phase = with;
    again = true;
    wake.run();
  }

  private boolean unwrap(SSLEngine tls, ByteBuffer received, ByteBuffer plain) throws IOException {
    if (phase == Phase.OPEN && received.get(received.position()) == HANDSHAKE) {
      throw new SSLException("renegotiation"); // in TLS 1.3 no record says what it is
    }
    SSLEngineResult result = tls.unwrap(received, plain);
    switch (result.getStatus()) {
      case CLOSED -> inputEnded = true;
      case BUFFER_OVERFLOW -> {
        if (plain.position() == 0) {
          throw new SSLException("too long a record");
        }
        return false;
      }
      case BUFFER_UNDERFLOW -> throw new SSLException("a record that is whole and is not");
      case OK -> count(result);
    }
    return true;
  }

  /** Bounds what a client may send that is not for the one who reads. */
  private void count(SSLEngineResult result) throws IOException {
    if (phase != Phase.OPEN) {
      handshakeBytes += result.bytesConsumed();
    } else {
      empty = result.bytesProduced() > 0 ? 0 : empty + 1;
    }
    if (handshakeBytes > MOST_HANDSHAKE || empty > MOST_EMPTY) {
      throw new SSLException("too much that says nothing");
    }
  }

  /** Tells the client why, if that is agreed upon, and nobody else. */
  private void failed(Exception cause) {
    if (phase != Phase.OPEN && LOG.isLoggable(Level.DEBUG)) {
      LOG.log(Level.DEBUG, "no TLS: {0}", LogText.escape(cause.toString()));
    }
    SSLEngine tls = engine;
    if (tls != null && !output.isFull() && !tell(tls)) {
      boolean ignored = tell(tls); // the engine tells us first
    }
  }

  private boolean tell(SSLEngine tls) {
    try {
      return tls.getHandshakeStatus() != HandshakeStatus.NEED_WRAP || output.speak(tls);
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    SSLEngine tls = engine;
    if (tls == null || phase != Phase.OPEN) {
      throw new IOException("no TLS");
    }
    output.write(tls, bytes);
    unblock();
  }

  @Override
  public void flush() throws IOException {
    output.flush();
    unblock();
  }

  private void unblock() {
    if (blocked && !output.isFull()) {
      blocked = false;
      again = true;
    }
  }

  @Override
  public boolean isFull() {
    return output.isFull();
  }

  @Override
  public void end() {
    SSLEngine tls = engine;
    if (tls != null && phase == Phase.OPEN && !outputEnded) {
      outputEnded = true;
      keptCount = 0;
      kept = NOTHING;
      rest = NOTHING;
      try {
        output.end(tls);
      } catch (IOException e) {
        // the client has gone, as is seen next
      }
    }
  }

  @Override
  public void shutdownOutput() throws IOException {
    output.shutdown();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (phase != Phase.OPEN) {
      handshakes.fail();
    }
    if (phase == Phase.WAITS) {
      boolean ignored = handshakes.giveUp(placeIsFree); // if it is too late, place() is called
    } else if (phase != Phase.COMPUTES) {
      leavePlace(); // else it is kept until that is over
    }
  }

  @Override
  public boolean isAgreeing() {
    return phase != Phase.OPEN && (engine != null || keptCount > 0);
  }

  @Override
  public boolean takesInput() {
    return phase != Phase.WAITS && phase != Phase.COMPUTES && !blocked;
  }

  @Override
  public boolean hasInput() {
    return again && takesInput();
  }

  @Override
  public boolean isOverdue(long now) {
    return phase == Phase.AGREES && now - clientsTurn > HURRY && handshakes.isCrowded();
  }

  @Override
  public @Nullable SocketChannel direct() {
    return null;
  }

  @Override
  public boolean isSecure() {
    return true;
  }

  @Override
  public List<X509Certificate> clientCertificates() {
    SSLEngine tls = engine;
    List<X509Certificate> all = new ArrayList<>();
    try {
      if (tls != null) {
        for (Certificate one : tls.getSession().getPeerCertificates()) {
          all.add((X509Certificate) one);
        }
      }
    } catch (SSLPeerUnverifiedException e) {
      return List.of(); // it has shown none
    }
    return List.copyOf(all);
  }

  /** Returns how much to read: what a record lacks, or as much as is wanted. */
  private int wanted(int most) throws IOException {
    int lacks = keptCount < HEAD ? 0 : length(kept, 0) - keptCount;
    return Math.min(memory.in().capacity(), Math.max(most, lacks));
  }

  /** Adds to the record that has begun, if that does not make it whole. */
  private boolean isStillPart(ByteBuffer in) throws IOException {
    if (keptCount < HEAD || keptCount + in.remaining() >= length(kept, 0)) {
      return false;
    }
    int count = in.remaining();
    in.get(kept, keptCount, count);
    keptCount += count;
    return true;
  }

  /** Keeps what is left, with room for the rest of its record. */
  private void keep(ByteBuffer received) throws IOException {
    int count = received.remaining();
    if (count == 0) {
      kept = NOTHING;
    } else if (received.position() > 0 || count > keptCount) {
      int from = received.arrayOffset() + received.position();
      int room = count < HEAD ? count : Math.max(count, length(received.array(), from));
      kept = new byte[room];
      received.get(kept, 0, count);
    }
    keptCount = count;
  }

  private static boolean isWhole(ByteBuffer bytes) throws IOException {
    int from = bytes.arrayOffset() + bytes.position();
    return isWhole(bytes.array(), from, bytes.remaining());
  }

  private static boolean isWhole(byte[] bytes, int from, int count) throws IOException {
    return count >= HEAD && count >= length(bytes, from);
  }

  /** Returns the length of a record, with its head. */
  private static int length(byte[] bytes, int from) throws IOException {
    int length = HEAD + ((bytes[from + 3] & 0xff) << 8 | (bytes[from + 4] & 0xff));
    if (length > LoopMemory.Tls.RECORD) {
      throw new SSLException("too long a record");
    }
    return length;
  }
}

package dev.percolate.nio.wire;

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
 * TLS, by the engine of the JDK. Memory for what is encrypted is the loop's; a connection has some
 * of its own only while a record is not whole, or not taken by the kernel.
 */
public final class TlsWire implements Wire {

  private static final System.Logger LOG = System.getLogger("dev.percolate.nio");

  /** How long one client may keep the others waiting, with many records. */
  private static final long TURN = TimeUnit.MICROSECONDS.toNanos(500);

  /** How many records without anything in them may follow each other. */
  private static final int MOST_EMPTY = 16;

  private static final int HANDSHAKE = 22;
  private static final byte[] NOTHING = {};

  private final SocketChannel channel;
  private final LoopMemory memory;
  private final Handshake handshake;
  private final TlsInput input = new TlsInput();
  private final TlsOutput output;
  private @Nullable SSLEngine engine;

  /** What is decrypted, but was more than was wanted at once; at most a record. */
  private byte[] rest = NOTHING;

  private int empty;

  /** Whether there is something to be read although nothing need come. */
  private boolean again;

  /** Whether the engine has to say something first, for which the kernel has no room. */
  private boolean blocked;

  private boolean inputEnded;
  private boolean outputEnded;

  /**
   * Creates the TLS of a connection.
   *
   * @param wake is called on the loop when there is something to be read that had to wait
   */
  public TlsWire(SocketChannel channel, WireLoop loop, Handshakes handshakes, Runnable wake) {
    this.channel = channel;
    this.memory = loop.memory();
    this.output = new TlsOutput(channel, memory);
    Runnable goOn =
        () -> {
          again = true;
          wake.run();
        };
    this.handshake = new Handshake(handshakes, loop, goOn);
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

  @Override
  public void unread(byte[] bytes) throws IOException {
    input.keep(ByteBuffer.wrap(bytes));
    again = true;
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
    if (!input.isWhole()) {
      count = channel.read(in.limit(Math.min(in.capacity(), input.wanted(most))));
    }
    in.flip();
    if (input.isStillPart(in)) {
      return count >= 0;
    }
    ByteBuffer received = memory.tls().received().clear();
    input.moveTo(received);
    received.put(in).flip();
    long begun = System.nanoTime();
    boolean late = false;
    while (!late && advance(received, plain, most)) {
      late = System.nanoTime() - begun > TURN;
    }
    input.keep(received);
    again |= inputEnded ? plain.position() > 0 : late || input.isWhole();
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
      handshake.compute(tls);
      return false;
    } else if (status == HandshakeStatus.NEED_WRAP) {
      blocked = !output.speak(tls);
      return !blocked;
    } else if (status == HandshakeStatus.NOT_HANDSHAKING && !handshake.isOver()) {
      handshake.over();
    }
    if (inputEnded || plain.position() >= most || !TlsInput.isWhole(received)) {
      return false;
    }
    return unwrap(tls, received, plain);
  }

  /** Begins a handshake, if there is a hello and a place for it. */
  private @Nullable SSLEngine begin(ByteBuffer received) throws IOException {
    if (received.hasRemaining() && received.get(received.position()) != HANDSHAKE) {
      throw new SSLException("no TLS");
    } else if (TlsInput.isWhole(received)) {
      engine = handshake.begin(received);
    }
    return engine;
  }

  private boolean unwrap(SSLEngine tls, ByteBuffer received, ByteBuffer plain) throws IOException {
    if (handshake.isOver() && received.get(received.position()) == HANDSHAKE) {
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
    if (!handshake.isOver()) {
      handshake.count(result.bytesConsumed());
      return;
    }
    empty = result.bytesProduced() > 0 ? 0 : empty + 1;
    if (empty > MOST_EMPTY) {
      throw new SSLException("too much that says nothing");
    }
  }

  /** Tells the client why, if that is agreed upon, and nobody else. */
  private void failed(Exception cause) {
    if (!handshake.isOver() && LOG.isLoggable(Level.DEBUG)) {
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
    if (tls == null || !handshake.isOver()) {
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
    if (tls != null && handshake.isOver() && !outputEnded) {
      outputEnded = true;
      input.clear();
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
    handshake.close();
  }

  @Override
  public boolean isAgreeing() {
    return !handshake.isOver() && (engine != null || !input.isEmpty());
  }

  @Override
  public boolean takesInput() {
    return !handshake.isWaiting() && !blocked;
  }

  @Override
  public boolean hasInput() {
    return again && takesInput();
  }

  @Override
  public boolean isOverdue(long now) {
    return handshake.isOverdue(now);
  }

  @Override
  public long waited(long now) {
    return handshake.waited(now);
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
  public @Nullable String protocol() {
    SSLEngine tls = engine;
    return tls == null || !handshake.isOver() ? null : tls.getApplicationProtocol();
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
}

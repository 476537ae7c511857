package dev.percolate.nio.transport;

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
 * TLS with the engine of the JDK. The loop's connections share its buffers. A connection has memory
 * of its own only for an incomplete record, and for bytes that the system has not accepted.
 */
public final class TlsTransport implements Transport {

  private static final System.Logger LOG = System.getLogger("dev.percolate.nio");

  /** How long one client with many records may delay the others, in nanoseconds. */
  private static final long TURN = TimeUnit.MICROSECONDS.toNanos(500);

  /** The maximum number of consecutive records without content. */
  private static final int MOST_EMPTY = 16;

  private static final int HANDSHAKE = 22;
  private static final byte[] NOTHING = {};

  private final SocketChannel channel;
  private final LoopMemory memory;
  private final Handshake handshake;
  private final TlsInput input = new TlsInput();
  private final TlsOutput output;
  private @Nullable SSLEngine engine;

  /** Decrypted bytes that exceed what the last call asked for; at most one record. */
  private byte[] rest = NOTHING;

  private int empty;

  /** Whether a read may return bytes although none arrive. */
  private boolean again;

  /** Whether a message of TLS itself waits, because the system cannot accept it now. */
  private boolean blocked;

  private boolean inputEnded;
  private boolean outputEnded;

  /**
   * Creates the TLS layer of a connection.
   *
   * @param wake called on the loop when a read that had to wait can continue
   */
  public TlsTransport(
      SocketChannel channel, TransportLoop loop, Handshakes handshakes, Runnable wake) {
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
      return channel.read(memory.in().clear()); // discarded
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
    } catch (RuntimeException e) { // the JDK may throw these for unexpected input
      failed(e);
      throw new IOException(e);
    }
  }

  @Override
  public void unread(byte[] bytes) throws IOException {
    ByteBuffer received = ByteBuffer.wrap(bytes);
    requireHandshake(received); // clear text may look like a long record that never ends
    input.keep(received);
    again = true;
  }

  /** Keeps decrypted bytes that exceed what was asked for. */
  private void keepRest(ByteBuffer plain, int from) {
    int count = plain.position() - from;
    again |= count > 0 || rest.length > 0; // more may follow
    rest = count > 0 ? new byte[count] : NOTHING;
    plain.get(from, rest);
  }

  /**
   * Returns the end of the input. Throws if the client closed the connection without a
   * close_notify.
   */
  private int endOfInput() throws IOException {
    SSLEngine tls = engine;
    if (!inputEnded) {
      throw new EOFException("connection closed without close_notify");
    } else if (tls != null && tls.isOutboundDone()) {
      throw new EOFException(
          "TLS 1.2 and earlier close both directions together"); // RFC 5246 section 7.2.1
    }
    return -1;
  }

  /** Decrypts received bytes. Returns false at the end of the input. */
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

  /** Takes the next possible action. Returns false if no further action is possible now. */
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

  /** Begins a handshake if the ClientHello is complete and a slot is free. */
  private @Nullable SSLEngine begin(ByteBuffer received) throws IOException {
    requireHandshake(received);
    if (TlsInput.isWhole(received)) {
      engine = handshake.begin(received);
    }
    return engine;
  }

  private static void requireHandshake(ByteBuffer received) throws SSLException {
    if (received.hasRemaining() && received.get(received.position()) != HANDSHAKE) {
      throw new SSLException("not a TLS handshake");
    }
  }

  private boolean unwrap(SSLEngine tls, ByteBuffer received, ByteBuffer plain) throws IOException {
    if (handshake.isOver() && received.get(received.position()) == HANDSHAKE) {
      throw new SSLException("renegotiation is not allowed"); // TLS 1.3 encrypts the content type
    }
    SSLEngineResult result = tls.unwrap(received, plain);
    switch (result.getStatus()) {
      case CLOSED -> inputEnded = true;
      case BUFFER_OVERFLOW -> {
        if (plain.position() == 0) {
          throw new SSLException("TLS record too long");
        }
        return false;
      }
      case BUFFER_UNDERFLOW -> throw new SSLException("a complete TLS record was not accepted");
      case OK -> count(result);
    }
    return true;
  }

  /** Limits the bytes and records that carry no content. */
  private void count(SSLEngineResult result) throws IOException {
    if (!handshake.isOver()) {
      handshake.count(result.bytesConsumed());
      return;
    }
    empty = result.bytesProduced() > 0 ? 0 : empty + 1;
    if (empty > MOST_EMPTY) {
      throw new SSLException("too many TLS records without content");
    }
  }

  /** Sends the client a TLS alert if possible. */
  private void failed(Exception cause) {
    if (!handshake.isOver() && LOG.isLoggable(Level.DEBUG)) {
      LOG.log(Level.DEBUG, "TLS handshake failed: {0}", LogText.escape(cause.toString()));
    }
    SSLEngine tls = engine;
    if (tls != null && !output.isFull() && !tell(tls)) {
      boolean ignored = tell(tls); // the first call may send an earlier message
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
      throw new IOException("TLS handshake is not complete");
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
        // the client has disconnected, which the next read detects
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
      return List.of(); // the client sent no certificate
    }
    return List.copyOf(all);
  }
}

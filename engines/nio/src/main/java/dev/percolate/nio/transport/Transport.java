package dev.percolate.nio.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The layer between a connection and its socket: plain or TLS. Used on its event loop only. The
 * default methods suit a layer without a handshake and without bytes of its own.
 */
public interface Transport {

  /**
   * Reads bytes to the beginning of {@link LoopMemory#read}.
   *
   * @param most the maximum number of bytes
   * @return the number of bytes, possibly 0; negative at the end of the input
   * @throws IOException if the client has disconnected
   */
  int read(int most) throws IOException;

  /**
   * Returns bytes to the input that were read from the socket before the first {@link #read}. That
   * call then returns them first.
   *
   * @param bytes the bytes, at most as many as {@link LoopMemory#in} holds
   * @throws IOException if the bytes cannot be kept
   */
  void unread(byte[] bytes) throws IOException;

  /**
   * Passes bytes to the system. The caller must pass bytes that were not accepted again, first, in
   * the next call.
   *
   * @param bytes a direct buffer; its position is advanced by the number of accepted bytes
   * @throws IOException if the client has disconnected
   */
  void write(ByteBuffer bytes) throws IOException;

  /**
   * Sends messages of the layer itself.
   *
   * @throws IOException if the client has disconnected
   */
  default void flush() throws IOException {}

  /** Returns true if the system has not accepted all bytes. */
  default boolean isFull() {
    return false;
  }

  /** Returns true during the TLS handshake. */
  default boolean isAgreeing() {
    return false;
  }

  /** Returns true if the layer can read now. */
  default boolean takesInput() {
    return true;
  }

  /** Returns true if a read may return bytes although none arrive. */
  boolean hasInput();

  /** Returns true if the client is too slow in the TLS handshake while other handshakes wait. */
  default boolean isOverdue(long now) {
    return false;
  }

  /**
   * Returns how long the TLS handshake has waited for the server, in nanoseconds; 0 once it is
   * complete.
   */
  default long waited(long now) {
    return 0;
  }

  /** Tells the client that no more bytes follow, if the layer has a message for that. */
  default void end() {}

  /**
   * Closes the output of the socket once the system has accepted all bytes.
   *
   * @throws IOException if the client has disconnected
   */
  void shutdownOutput() throws IOException;

  /** Releases resources after the socket has been closed. */
  default void close() {}

  /** Returns the channel that any thread may write to; null if only the loop may write. */
  @Nullable SocketChannel direct();

  /** Returns true if the connection is encrypted. */
  default boolean isSecure() {
    return false;
  }

  /** Returns the negotiated protocol; empty if there is none, null during the handshake. */
  default @Nullable String protocol() {
    return "";
  }

  /** Returns the certificate chain of the client, its own certificate first. */
  default List<X509Certificate> clientCertificates() {
    return List.of();
  }

  /** An unencrypted socket. */
  final class Plain implements Transport {

    private static final byte[] NOTHING = {};

    private final SocketChannel channel;
    private final LoopMemory memory;
    private byte[] rest = NOTHING;

    /** Creates the layer of a connection. */
    public Plain(SocketChannel channel, LoopMemory memory) {
      this.channel = channel;
      this.memory = memory;
    }

    @Override
    public int read(int most) throws IOException {
      if (rest.length > 0) {
        int count = Math.min(most, rest.length);
        System.arraycopy(rest, 0, memory.read(), 0, count);
        rest = count == rest.length ? NOTHING : Arrays.copyOfRange(rest, count, rest.length);
        return count;
      }
      ByteBuffer in = memory.in().clear();
      int count = channel.read(in.limit(most));
      if (count > 0) {
        in.get(0, memory.read(), 0, count);
      }
      return count;
    }

    @Override
    public void unread(byte[] bytes) {
      rest = bytes;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      int ignored = channel.write(bytes);
    }

    @Override
    public boolean hasInput() {
      return rest.length > 0;
    }

    @Override
    public void shutdownOutput() throws IOException {
      SocketChannel ignored = channel.shutdownOutput();
    }

    @Override
    public SocketChannel direct() {
      return channel;
    }
  }
}

package dev.percolate.nio.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What stands between a connection and its socket: nothing, or TLS. Used on its loop only. */
public interface Wire {

  /**
   * Reads what has come, to the beginning of {@link LoopMemory#read}.
   *
   * @param most how many bytes are wanted at once
   * @return how many bytes it was, perhaps none; less than nothing if the client sends no more
   * @throws IOException if the client has gone
   */
  int read(int most) throws IOException;

  /**
   * Takes back bytes that were read from the socket before the first {@link #read}, which then
   * returns these first.
   *
   * @param bytes the bytes, at most as many as {@link LoopMemory#in} holds
   * @throws IOException if the bytes cannot be kept
   */
  void unread(byte[] bytes) throws IOException;

  /**
   * Gives the kernel what it takes. What has not been taken comes again in front the next time.
   *
   * @param bytes beside the heap; what the kernel has taken of them is behind their position
   * @throws IOException if the client has gone
   */
  void write(ByteBuffer bytes) throws IOException;

  /**
   * Gives the kernel what the wire has to say itself.
   *
   * @throws IOException if the client has gone
   */
  void flush() throws IOException;

  /** Tells whether something is left that the kernel has not taken. */
  boolean isFull();

  /** Tells whether client and server agree upon TLS just now. */
  boolean isAgreeing();

  /** Tells whether it makes sense to read what has come. */
  boolean takesInput();

  /** Tells whether there is something to read although nothing need have come. */
  boolean hasInput();

  /** Tells whether the client takes longer than it may to agree upon TLS, while others wait. */
  boolean isOverdue(long now);

  /**
   * Returns for how much of the time in which client and server agree upon TLS it was not the
   * client's turn; nothing once they have agreed.
   */
  long waited(long now);

  /** Says to the client that nothing more comes, if there is a word for that. */
  void end();

  /**
   * Ends the output of the socket, as soon as the kernel has taken all of it.
   *
   * @throws IOException if the client has gone
   */
  void shutdownOutput() throws IOException;

  /** Lets go what it has, now that its socket is closed. */
  void close();

  /** Returns where any thread may write what the client is to get; null if that needs the loop. */
  @Nullable SocketChannel direct();

  /** Tells whether nobody else can read what is sent. */
  boolean isSecure();

  /** Returns what both sides have agreed to speak; empty if nothing, null before they have. */
  @Nullable String protocol();

  /** Returns the certificates by which the client has shown who it is, its own first. */
  List<X509Certificate> clientCertificates();

  /** A socket alone. */
  final class Plain implements Wire {

    private static final byte[] NOTHING = {};

    private final SocketChannel channel;
    private final LoopMemory memory;
    private byte[] rest = NOTHING;

    /** Creates the wire of a connection. */
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
    public void flush() {}

    @Override
    public boolean isFull() {
      return false;
    }

    @Override
    public boolean isAgreeing() {
      return false;
    }

    @Override
    public boolean takesInput() {
      return true;
    }

    @Override
    public boolean hasInput() {
      return rest.length > 0;
    }

    @Override
    public boolean isOverdue(long now) {
      return false;
    }

    @Override
    public long waited(long now) {
      return 0;
    }

    @Override
    public void end() {}

    @Override
    public void shutdownOutput() throws IOException {
      SocketChannel ignored = channel.shutdownOutput();
    }

    @Override
    public void close() {}

    @Override
    public SocketChannel direct() {
      return channel;
    }

    @Override
    public boolean isSecure() {
      return false;
    }

    @Override
    public String protocol() {
      return "";
    }

    @Override
    public List<X509Certificate> clientCertificates() {
      return List.of();
    }
  }
}

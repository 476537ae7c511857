package dev.percolate.middleware.socket;

import dev.percolate.http.Frame;
import dev.percolate.http.MessageDeflater;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Sends one message in fragments of at most 16 KiB. */
public final class FragmentStream extends OutputStream {

  private static final int SIZE = 16 << 10;

  private final SocketOutput output;
  private final @Nullable MessageDeflater deflater;
  private final byte[] buffer = new byte[SIZE];
  private int opcode;
  private int length;
  private boolean closed;

  public FragmentStream(SocketOutput output, int opcode, boolean compressed) {
    this.output = output;
    this.opcode = opcode;
    this.deflater = compressed ? new MessageDeflater() : null;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    Objects.checkFromIndexSize(from, count, bytes.length);
    if (closed) {
      throw new IOException("the message has ended");
    }
    int at = from;
    while (at < from + count) {
      int part = Math.min(SIZE - length, from + count - at);
      System.arraycopy(bytes, at, buffer, length, part);
      at += part;
      length += part;
      if (length == SIZE) {
        send(false);
      }
    }
  }

  /** Sends the buffered bytes as a fragment. */
  @Override
  public void flush() throws IOException {
    if (!closed && length > 0) {
      send(false);
    }
  }

  /** Ends the message. */
  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      try {
        send(true);
      } finally {
        if (deflater != null) {
          deflater.close();
        }
      }
    }
  }

  private void send(boolean last) throws IOException {
    boolean begins = opcode != Frame.CONTINUATION;
    byte[] content = buffer;
    int size = length;
    if (deflater != null) {
      content = deflater.fragment(buffer, 0, length, last);
      size = content.length;
    }
    output.fragment(
        this, Frame.of(opcode, last, begins && deflater != null, content, 0, size), last);
    opcode = Frame.CONTINUATION;
    length = 0;
  }
}

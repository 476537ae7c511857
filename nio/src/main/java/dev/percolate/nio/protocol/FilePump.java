package dev.percolate.nio.protocol;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Sends a part of a file: the kernel hands it from the one to the other, or it is read, so that it
 * can be encrypted. A disk may be slow, so threads of their own do it, piece by piece; in between,
 * the connection's loop sees how far it is.
 */
public final class FilePump {

  /** Files up to this size are better read at once by a thread that may wait. */
  public static final int SHORT = 64 << 10;

  private static final long PIECE = 1 << 20;

  private final FileChannel file;
  private final @Nullable SocketChannel to;
  private final Executor threads;
  private final Progress progress;
  private long position;
  private long left;
  private boolean busy;

  /** Is notified of each piece, on the thread that has sent or read it. */
  @FunctionalInterface
  public interface Progress {

    /** Takes note of a piece. */
    void moved(FilePump file, Step step);
  }

  /**
   * What has become of a piece.
   *
   * @param bytes how many bytes have gone out
   * @param read what was read, where that does not go out by itself
   * @param failure why nothing has
   */
  public record Step(long bytes, @Nullable ByteBuffer read, @Nullable Throwable failure) {}

  /**
   * Creates a sender, which begins with {@link #goOn}.
   *
   * @param file the file, closed in the end, whatever happens
   * @param to where it goes; null if it is only read
   * @param threads run what waits for the disk
   * @param progress is notified
   */
  public FilePump(
      FileChannel file,
      long position,
      long length,
      @Nullable SocketChannel to,
      Executor threads,
      Progress progress) {
    this.file = file;
    this.position = position;
    this.left = length;
    this.to = to;
    this.threads = threads;
    this.progress = progress;
  }

  /** Returns how much is still to be sent. */
  public long left() {
    return left;
  }

  /** Tells whether all of it has been sent or read. */
  public boolean isOver() {
    return left == 0 && !busy;
  }

  /** Sends the next piece, unless one is under way; on the loop. */
  public void goOn() {
    if (!busy) {
      busy = true;
      long from = position;
      long most = Math.min(PIECE, left);
      SocketChannel channel = to;
      if (channel != null) {
        threads.execute(() -> move(() -> send(from, most, channel)));
      } else {
        threads.execute(() -> move(() -> read(from, (int) Math.min(SHORT, most))));
      }
    }
  }

  /** Notes what has become of a piece; on the loop. Tells whether all of it has gone out. */
  public boolean moved(Step step) {
    ByteBuffer read = step.read;
    long bytes = read == null ? step.bytes : read.remaining();
    boolean all = read == null && bytes == Math.min(PIECE, left);
    busy = false;
    position += bytes;
    left -= bytes;
    if (left == 0) {
      close();
    }
    return all;
  }

  /** Closes the file. */
  public void close() {
    close(file);
  }

  /** Closes a file that was open for reading only, and that nobody will read. */
  public static void close(FileChannel file) {
    try {
      file.close();
    } catch (IOException e) {
      // nothing is lost
    }
  }

  /** Reads a short part of a file, and closes it; returns null if it is not there. */
  public static @Nullable ByteBuffer readAll(FileChannel file, long offset, int count) {
    try (FileChannel closed = file) {
      return readPart(closed, offset, count);
    } catch (IOException e) {
      return null; // as if it were shorter
    }
  }

  private static ByteBuffer readPart(FileChannel file, long offset, int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count);
    while (bytes.hasRemaining()) {
      if (file.read(bytes, offset + bytes.position()) < 0) {
        throw shorter();
      }
    }
    return bytes.flip();
  }

  private void move(Callable<Step> piece) {
    Step step;
    try {
      step = piece.call();
    } catch (Exception | Error e) {
      step = new Step(0, null, e);
    }
    progress.moved(this, step);
  }

  private Step read(long from, int most) throws IOException {
    return new Step(0, readPart(file, from, most), null);
  }

  private Step send(long from, long most, SocketChannel channel) throws IOException {
    long sent = file.transferTo(from, most, channel);
    if (sent == 0 && file.size() < from + most) {
      throw shorter();
    }
    return new Step(sent, null, null);
  }

  private static IOException shorter() {
    return new IOException("the file has become shorter");
  }
}

package dev.percolate.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends a part of a file, which the kernel hands from the one to the other. A disk may be slow, so
 * threads of their own do it, piece by piece; in between, the connection's loop sees how far it is.
 */
final class FilePump {

  /** Files up to this size are better read at once by a thread that may wait. */
  static final int SHORT = 64 << 10;

  private static final long PIECE = 1 << 20;

  private final FileChannel file;
  private final SocketChannel to;
  private final Executor threads;
  private final BiConsumer<Long, @Nullable Throwable> progress;
  private long position;
  private long left;
  private boolean busy;

  /**
   * Creates a sender, which begins with {@link #goOn}.
   *
   * @param file the file, closed in the end, whatever happens
   * @param to where it goes
   * @param threads run what waits for the disk
   * @param progress is told, on the thread that has sent it, how much has gone out, or why not
   */
  FilePump(
      FileChannel file,
      long position,
      long length,
      SocketChannel to,
      Executor threads,
      BiConsumer<Long, @Nullable Throwable> progress) {
    this.file = file;
    this.position = position;
    this.left = length;
    this.to = to;
    this.threads = threads;
    this.progress = progress;
  }

  /** Returns how much is still to be sent. */
  long left() {
    return left;
  }

  boolean isOver() {
    return left == 0 && !busy;
  }

  /** Sends the next piece, unless one is under way; on the loop. */
  void goOn() {
    if (!busy) {
      busy = true;
      long from = position;
      long most = Math.min(PIECE, left);
      threads.execute(() -> send(from, most));
    }
  }

  /** Notes what has gone out; on the loop. Tells whether that was all that was asked for. */
  boolean sent(long bytes) {
    boolean all = bytes == Math.min(PIECE, left);
    busy = false;
    position += bytes;
    left -= bytes;
    if (left == 0) {
      close();
    }
    return all;
  }

  void close() {
    close(file);
  }

  /** Closes a file that was open for reading only, and that nobody will read. */
  static void close(FileChannel file) {
    try {
      file.close();
    } catch (IOException e) {
      // nothing is lost
    }
  }

  /** Reads a short part of a file, and closes it; returns null if it is not there. */
  static @Nullable ByteBuffer read(FileChannel file, long offset, int count) {
    ByteBuffer bytes = ByteBuffer.allocate(count);
    try (FileChannel closed = file) {
      int last = 0;
      while (bytes.hasRemaining() && last >= 0) {
        last = closed.read(bytes, offset + bytes.position());
      }
    } catch (IOException e) {
      return null; // as if it were shorter
    }
    return bytes.hasRemaining() ? null : bytes.flip();
  }

  private void send(long from, long most) {
    try {
      long sent = file.transferTo(from, most, to);
      if (sent == 0 && file.size() < from + most) {
        throw new IOException("the file has become shorter");
      }
      progress.accept(sent, null);
    } catch (IOException | RuntimeException | Error e) {
      progress.accept(0L, e);
    }
  }
}

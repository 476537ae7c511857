package dev.percolate.nio.protocol;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Sends a part of a file. The system copies it to the socket, or it is read so that it can be
 * encrypted. Disks may be slow, so separate threads do this, chunk by chunk. After each chunk, the
 * event loop records the progress.
 */
public final class FilePump {

  /** Files up to this size, in bytes, are better read at once by a thread that may block. */
  public static final int SHORT = 64 << 10;

  private static final long PIECE = 1 << 20;

  private final FileChannel file;
  private final @Nullable SocketChannel to;
  private final Executor threads;
  private final Progress progress;
  private long position;
  private long left;
  private boolean busy;

  /** Called after each chunk, on the thread that has sent or read it. */
  @FunctionalInterface
  public interface Progress {

    /** Reports a chunk. */
    void moved(FilePump file, Step step);
  }

  /**
   * The result for one chunk.
   *
   * @param bytes the number of bytes sent
   * @param read the bytes that were read and must still be sent; null if they were sent directly
   * @param failure the failure; null on success
   */
  public record Step(long bytes, @Nullable ByteBuffer read, @Nullable Throwable failure) {}

  /**
   * Creates a sender. {@link #goOn} starts it.
   *
   * @param file the file, which is always closed at the end
   * @param to the socket; null to read only
   * @param threads run the blocking file operations
   * @param progress called after each chunk
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

  /** Returns the number of bytes still to send. */
  public long left() {
    return left;
  }

  /** Returns true if all bytes have been sent or read. */
  public boolean isOver() {
    return left == 0 && !busy;
  }

  /** Sends the next chunk unless one is in progress. Called on the event loop. */
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

  /**
   * Records the result for a chunk, on the event loop. Returns true if the complete chunk was sent.
   */
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

  /** Closes a file that was opened for reading and is no longer needed. */
  public static void close(FileChannel file) {
    try {
      file.close();
    } catch (IOException e) {
      // the file was open for reading only
    }
  }

  /**
   * Reads a short part of a file and closes it. Returns null if the file cannot be read or is too
   * short.
   */
  public static @Nullable ByteBuffer readAll(FileChannel file, long offset, int count) {
    try (FileChannel closed = file) {
      return readPart(closed, offset, count);
    } catch (IOException e) {
      return null; // handled like a file that is too short
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
    return new IOException("file is shorter than expected; it was changed while it was sent");
  }
}

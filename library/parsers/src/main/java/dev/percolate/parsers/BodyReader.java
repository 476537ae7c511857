package dev.percolate.parsers;

import dev.percolate.core.ChunkReader;
import dev.percolate.core.Next;
import dev.percolate.http.BodyErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads one body to its end, passes it to the parser and continues with the next handler.
 *
 * <p>{@link #done} calls the next handler. On a thread that waits for the body, all that follows
 * therefore runs inside the parser's call.
 */
final class BodyReader implements ChunkReader {

  private final BodyParser<?> parser;
  private final Decoder inflating;
  private final Bytes bytes;
  private final long length;
  private final Next next;
  private final Consumer<byte[]> taker;
  private boolean ended;

  /**
   * Creates a reader.
   *
   * @param parser estimates the memory of the parsed body
   * @param inflating receives the chunks; closed at the end
   * @param bytes receives the decompressed bytes
   * @param length the announced length; negative if it is unknown or the body is compressed
   * @param next continues with the next handler
   * @param taker receives the whole body; its exceptions go to the error handlers
   */
  BodyReader(
      BodyParser<?> parser,
      Decoder inflating,
      Bytes bytes,
      long length,
      Next next,
      Consumer<byte[]> taker) {
    this.parser = parser;
    this.inflating = inflating;
    this.bytes = bytes;
    this.length = length;
    this.next = next;
    this.taker = taker;
  }

  @Override
  public long bufferedBytes(long announced) {
    return length >= 0 ? length : Bytes.MemoryShare.first(bytes.limit()) + inflating.workSpace();
  }

  @Override
  public long maxBufferedBytes(long announced) {
    long work = inflating.workSpace();
    return length >= 0
        ? length
        : Math.max(work, work + Math.min(bytes.limit(), Long.MAX_VALUE - work));
  }

  @Override
  public long parsedBytes(boolean exact) {
    end();
    return parser.weight(bytes.view(), exact);
  }

  @Override
  public boolean chunk(ByteBuffer piece) {
    inflating.add(piece);
    return true;
  }

  @Override
  public void done(@Nullable Throwable failure) {
    Throwable error = failure instanceof IOException ? aborted(failure) : failure;
    try {
      if (error == null) {
        finish();
      }
    } catch (Throwable thrown) {
      error = thrown;
    } finally {
      inflating.close();
    }
    if (error == null) {
      next.run();
    } else {
      next.fail(error);
    }
  }

  private Throwable aborted(Throwable failure) {
    return BodyErrors.aborted(failure, bytes.size(), length);
  }

  private void finish() {
    end();
    if (length >= 0 && bytes.size() != length) {
      throw BodyErrors.sizeMismatch(bytes.size(), length);
    }
    taker.accept(bytes.toArray());
  }

  /** Decompresses the rest. Fails if the body is truncated. */
  private void end() {
    if (!ended) {
      ended = true;
      inflating.end();
    }
  }
}

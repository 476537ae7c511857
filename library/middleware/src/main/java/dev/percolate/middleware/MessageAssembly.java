package dev.percolate.middleware;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.http.CloseCode;
import dev.percolate.http.MessageInflater;
import dev.percolate.http.Utf8Check;
import dev.percolate.http.WebSocketException;
import dev.percolate.middleware.socket.SocketInput;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Assembles messages from their fragments, one message at a time. Not thread-safe.
 *
 * <p>Memory beyond a small size is counted in {@link BodyMemory}, so that many clients with
 * incomplete messages do not fill the heap. A compressed message is decompressed when it is
 * complete.
 */
final class MessageAssembly {

  private final long most;
  private final Supplier<BodyMemory.Reservation> rooms;
  private byte @Nullable [] kept;
  private int length;
  private BodyMemory.@Nullable Reservation reservation;

  /**
   * Creates an empty assembly.
   *
   * @param most the maximum size of a message, in bytes
   * @param rooms creates the memory reservation of a message
   */
  MessageAssembly(long most, Supplier<BodyMemory.Reservation> rooms) {
    this.most = most;
    this.rooms = rooms;
  }

  /**
   * Adds the next fragment.
   *
   * @return the message if it is complete; null otherwise
   * @throws WebSocketException if the message is too long or malformed
   */
  @Nullable WebSocketMessage add(SocketInput.Piece piece) throws WebSocketException {
    if (!piece.last()) {
      keep(piece.data());
      return null;
    }
    byte[] content;
    if (kept == null) {
      content = new byte[piece.data().remaining()];
      piece.data().get(content);
    } else {
      keep(piece.data());
      content = Arrays.copyOf(kept, length);
    }
    try {
      return new WebSocketMessage(
          piece.text(), piece.compressed() ? inflated(content, piece) : content);
    } finally {
      drop();
    }
  }

  /** Discards the incomplete message. */
  void drop() {
    kept = null;
    length = 0;
    if (reservation != null) {
      reservation.release();
      reservation = null;
    }
  }

  private byte[] inflated(byte[] content, SocketInput.Piece piece) throws WebSocketException {
    AtomicReference<byte[]> result = new AtomicReference<>(content);
    AtomicReference<@Nullable WebSocketException> failure = new AtomicReference<>();
    VirtualThreads.runFairly(
        () -> {
          try {
            result.set(MessageInflater.whole(content, most));
          } catch (WebSocketException e) {
            failure.set(e);
          }
        });
    WebSocketException invalid = failure.get();
    if (invalid != null) {
      throw invalid;
    }
    byte[] whole = Objects.requireNonNull(result.get());
    if (piece.text()) {
      Utf8Check utf8 = new Utf8Check();
      if (!utf8.accepts(ByteBuffer.wrap(whole)) || !utf8.isComplete()) {
        throw new WebSocketException(CloseCode.INVALID_DATA, "text must be UTF-8");
      }
    }
    return whole;
  }

  /** Keeps a fragment. The length of the message was checked earlier. */
  private void keep(ByteBuffer piece) throws WebSocketException {
    int size = piece.remaining();
    byte[] buffer = kept;
    if (buffer == null || buffer.length - length < size) {
      long wanted = Math.max((long) length + size, 2L * length);
      long needed = Math.max(256, Math.min(wanted, Math.max(most + 1024, (long) length + size)));
      takeRoom(needed);
      buffer = buffer == null ? new byte[(int) needed] : Arrays.copyOf(buffer, (int) needed);
      kept = buffer;
    }
    piece.get(buffer, length, size);
    length += size;
  }

  private void takeRoom(long needed) throws WebSocketException {
    if (needed > Integer.MAX_VALUE - 8) {
      throw new WebSocketException(CloseCode.TOO_BIG, "message exceeds 2 GB");
    }
    if (needed <= BodyMemory.SHARE) {
      return;
    }
    BodyMemory.Reservation taken = reservation == null ? rooms.get() : reservation;
    reservation = taken;
    if (!taken.take(needed, BodyMemory.Purpose.BODY)) {
      throw new WebSocketException(CloseCode.TRY_AGAIN, "no memory for the message");
    }
  }
}

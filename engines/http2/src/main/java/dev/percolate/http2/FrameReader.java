package dev.percolate.http2;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Parses the frames of a client from chunks of any size and buffers at most 9 bytes. Checks the
 * format and the order of frames (RFC 9113 sections 4 and 6), but not their meaning.
 *
 * <pre>
 *   PREFACE --> HEAD --> FIELDS --> CONTENT --> SKIPPED (padding) --> HEAD
 *                 +-----------------^   (phases that a frame lacks are left out)
 * </pre>
 */
final class FrameReader {

  private enum Phase {
    PREFACE,
    HEAD,
    FIELDS,
    CONTENT,
    SKIPPED
  }

  private static final int TYPE_AT = 3;
  private static final int SETTING = 6;
  private static final int DEPENDENCY = 5;

  private final FrameHandler handler;
  private final byte[] preface;
  private final byte[] few = new byte[FrameType.HEAD];
  private final ByteBuffer numbers = ByteBuffer.wrap(few);
  private Phase phase = Phase.PREFACE;
  private int next;
  private int count;
  private int wanted;

  /** The number of bytes that are left of the frame. */
  private int left;

  private int padding;
  private int type;
  private int flags;
  private int stream;

  /** The stream whose header block continues in the next frame; 0 for none. */
  private int open;

  /** Whether the client has sent SETTINGS, which must be its first frame. */
  private boolean settled;

  /**
   * Creates a reader for one connection.
   *
   * @param preface the bytes that the client must send first
   */
  FrameReader(byte[] preface, FrameHandler handler) {
    this.preface = preface.clone();
    this.handler = handler;
  }

  /** Returns whether the client has sent its preface and the start of its settings. */
  boolean isBegun() {
    return settled;
  }

  /** Returns true if a header block has begun and is not complete. */
  boolean isInHeaders() {
    return open != 0 || (phase != Phase.HEAD && type == FrameType.HEADERS);
  }

  /** Returns true if the next bytes belong to headers, or may do so. */
  boolean mayReadHeaders(byte[] bytes, int from, int to) {
    int kind = type;
    if (phase == Phase.HEAD) {
      int at = from + TYPE_AT - count;
      if (at >= to) {
        return true;
      }
      kind = at < from ? few[TYPE_AT] : bytes[at];
    }
    return kind == FrameType.HEADERS || kind == FrameType.CONTINUATION;
  }

  /**
   * Reads up to the end of one frame. {@link #next} returns where reading stopped.
   *
   * @throws FrameError if the frame is invalid; reading can continue after it
   */
  void read(byte[] bytes, int from, int to) throws FrameError {
    int some = Math.min(to - from, wantsNow());
    next = from + some;
    switch (phase) {
      case PREFACE -> takePreface(bytes, from, some);
      case HEAD, FIELDS -> takeFew(bytes, from, some);
      case CONTENT -> {
        left -= some;
        takeContent(bytes, from, next);
      }
      case SKIPPED -> {
        left -= some;
        endIfRead();
      }
    }
  }

  /** Returns the index after the last byte read. */
  int next() {
    return next;
  }

  private int wantsNow() {
    return switch (phase) {
      case PREFACE -> preface.length - count;
      case HEAD -> FrameType.HEAD - count;
      case FIELDS -> wanted - count;
      case CONTENT -> left - padding;
      case SKIPPED -> left;
    };
  }

  private void takePreface(byte[] bytes, int from, int some) throws FrameError {
    if (!Arrays.equals(preface, count, count + some, bytes, from, from + some)) {
      throw FrameError.protocol("invalid connection preface");
    }
    count += some;
    if (count == preface.length) {
      reset();
    }
  }

  private void takeFew(byte[] bytes, int from, int some) throws FrameError {
    System.arraycopy(bytes, from, few, count, some);
    count += some;
    if (phase == Phase.HEAD) {
      if (count == FrameType.HEAD) {
        begin();
      }
    } else if (count == wanted) {
      left -= wanted;
      takeFields();
    }
  }

  private void reset() {
    phase = Phase.HEAD;
    count = 0;
    padding = 0;
    type = -1;
  }

  private void begin() throws FrameError {
    left = numbers.getInt(0) >>> 8;
    type = few[3] & 0xff;
    flags = few[4] & 0xff;
    stream = numbers.getInt(5) & Integer.MAX_VALUE;
    phase = Phase.SKIPPED; // if a check throws
    checkOrder();
    checkStream();
    checkLength();
    wanted = fields();
    count = 0;
    if (type == FrameType.DATA) {
      handler.dataBegins(stream, left);
    }
    if (wanted > 0) {
      phase = Phase.FIELDS;
    } else {
      beginContent();
    }
  }

  private void checkOrder() throws FrameError {
    if (left > FrameType.MOST) {
      throw FrameError.ofConnection(ErrorCode.FRAME_SIZE_ERROR, "frame larger than 16384 bytes");
    }
    boolean goesOn = type == FrameType.CONTINUATION;
    if (goesOn ? open == 0 || stream != open : open != 0) {
      throw FrameError.protocol("header block interrupted, or CONTINUATION without one");
    }
    if (!settled && (type != FrameType.SETTINGS || has(FrameType.ACK))) {
      throw FrameError.protocol("the first frame must be SETTINGS");
    }
    settled = true;
    if (type == FrameType.PUSH_PROMISE) {
      throw FrameError.protocol("clients must not send PUSH_PROMISE");
    }
  }

  private void checkStream() throws FrameError {
    boolean ofConnection;
    switch (type) {
      case FrameType.SETTINGS, FrameType.PING, FrameType.GOAWAY -> ofConnection = true;
      case FrameType.DATA,
          FrameType.HEADERS,
          FrameType.PRIORITY,
          FrameType.RST_STREAM,
          FrameType.CONTINUATION ->
          ofConnection = false;
      default -> {
        return;
      }
    }
    if (ofConnection != (stream == 0)) {
      throw FrameError.protocol("frame of type " + type + " on stream " + stream);
    }
  }

  private void checkLength() throws FrameError {
    boolean right =
        switch (type) {
          case FrameType.PRIORITY -> left == DEPENDENCY;
          case FrameType.RST_STREAM, FrameType.WINDOW_UPDATE -> left == Integer.BYTES;
          case FrameType.SETTINGS -> has(FrameType.ACK) ? left == 0 : left % SETTING == 0;
          case FrameType.PING -> left == Long.BYTES;
          case FrameType.GOAWAY -> left >= Long.BYTES;
          case FrameType.DATA, FrameType.HEADERS -> left >= fields();
          default -> true;
        };
    if (!right) {
      String message = "frame of type " + type + " has " + left + " bytes";
      throw type == FrameType.PRIORITY
          ? FrameError.ofStream(stream, ErrorCode.FRAME_SIZE_ERROR, message)
          : FrameError.ofConnection(ErrorCode.FRAME_SIZE_ERROR, message);
    }
  }

  /** Returns the number of bytes that are parsed together before the content. */
  private int fields() {
    int padded = has(FrameType.PADDED) ? 1 : 0;
    return switch (type) {
      case FrameType.DATA -> padded;
      case FrameType.HEADERS -> padded + (has(FrameType.WITH_PRIORITY) ? DEPENDENCY : 0);
      case FrameType.PRIORITY, FrameType.RST_STREAM, FrameType.WINDOW_UPDATE -> left;
      case FrameType.SETTINGS -> Math.min(left, SETTING);
      case FrameType.PING, FrameType.GOAWAY -> Long.BYTES;
      default -> 0;
    };
  }

  private void takeFields() throws FrameError {
    phase = Phase.SKIPPED; // if a check or the handler throws
    switch (type) {
      case FrameType.DATA, FrameType.HEADERS -> {
        padding = has(FrameType.PADDED) ? few[0] & 0xff : 0;
        if (padding > left) {
          throw FrameError.protocol("padding longer than the frame");
        }
        beginContent();
        return;
      }
      case FrameType.PRIORITY -> handler.priority(stream, numbers.getInt(0) & Integer.MAX_VALUE);
      case FrameType.RST_STREAM -> handler.reset(stream);
      case FrameType.WINDOW_UPDATE ->
          handler.windowUpdate(stream, numbers.getInt(0) & Integer.MAX_VALUE);
      case FrameType.PING -> handler.ping(numbers.getLong(0), has(FrameType.ACK));
      case FrameType.GOAWAY -> handler.goAway();
      default -> {
        handler.setting(numbers.getShort(0) & 0xffff, numbers.getInt(2));
        if (left > 0) {
          phase = Phase.FIELDS;
          count = 0;
          return;
        }
      }
    }
    endIfRead();
  }

  private void beginContent() throws FrameError {
    switch (type) {
      case FrameType.DATA -> phase = Phase.CONTENT;
      case FrameType.HEADERS -> {
        boolean depends = has(FrameType.WITH_PRIORITY);
        int on = depends ? numbers.getInt(has(FrameType.PADDED) ? 1 : 0) & Integer.MAX_VALUE : -1;
        open = stream;
        phase = Phase.CONTENT;
        handler.headersBegin(stream, has(FrameType.END_STREAM), on);
      }
      case FrameType.CONTINUATION -> {
        phase = Phase.CONTENT;
        handler.continuation();
      }
      case FrameType.SETTINGS -> {}
      default -> handler.unknown();
    }
    if (phase == Phase.CONTENT && left == padding) {
      phase = Phase.SKIPPED;
    }
    endIfRead();
  }

  private void takeContent(byte[] bytes, int from, int to) throws FrameError {
    if (left == padding) {
      phase = Phase.SKIPPED;
    }
    if (type == FrameType.DATA) {
      handler.data(bytes, from, to);
    } else {
      handler.fragment(bytes, from, to);
    }
    endIfRead();
  }

  private void endIfRead() throws FrameError {
    if (left > 0) {
      return;
    }
    int ended = type;
    reset();
    switch (ended) {
      case FrameType.DATA -> handler.dataEnds(has(FrameType.END_STREAM));
      case FrameType.HEADERS, FrameType.CONTINUATION -> {
        if (has(FrameType.END_HEADERS)) {
          open = 0;
          handler.headersEnd();
        }
      }
      case FrameType.SETTINGS -> handler.settingsEnd(has(FrameType.ACK));
      default -> {}
    }
  }

  private boolean has(int flag) {
    return (flags & flag) != 0;
  }
}

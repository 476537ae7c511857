package dev.percolate.reliability;

import dev.percolate.http.Frame;
import dev.percolate.http.MessageDeflater;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The frames that a client sends over a WebSocket before it waits: messages in one or more frames,
 * masked and perhaps compressed, with pings anywhere between the frames.
 */
final class SocketRound {

  private static final int MOST_PINGS = 8;
  private static final int LONGEST_PING = 125;
  private static final int MOST_FRAGMENTS = 6;

  /** The content of each ping, in order. */
  final List<byte[]> pings = new ArrayList<>();

  private final SplittableRandom random;
  private final boolean compressible;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** The position of the end of each message. */
  private final List<Integer> ends = new ArrayList<>();

  /**
   * Creates a round without messages.
   *
   * @param compressible whether compression was negotiated
   */
  SocketRound(SplittableRandom random, boolean compressible) {
    this.random = random;
    this.compressible = compressible;
  }

  void add(LiveMessage message) {
    boolean compressed = compressible && random.nextInt(3) > 0;
    byte[] content = compressed ? MessageDeflater.whole(message.content()) : message.content();
    int fragments = random.nextInt(3) == 0 ? 1 + random.nextInt(MOST_FRAGMENTS) : 1;
    int at = 0;
    for (int i = 1; i <= fragments; i++) {
      int to = i == fragments ? content.length : random.nextInt(at, content.length + 1);
      int opcode = i > 1 ? Frame.CONTINUATION : message.isText() ? Frame.TEXT : Frame.BINARY;
      byte[] piece = Arrays.copyOfRange(content, at, to);
      frame(opcode, i == fragments, compressed && i == 1, piece);
      at = to;
      if (i == fragments) {
        ends.add(out.size());
      }
      if (pings.size() < MOST_PINGS && random.nextInt(6) == 0) {
        ping();
      }
    }
  }

  /** Adds a close frame. */
  void close(byte[] payload) {
    frame(Frame.CLOSE, true, false, payload);
  }

  byte[] bytes() {
    return out.toByteArray();
  }

  /** Returns the number of complete messages in the first {@code bytes} bytes. */
  long messagesIn(int bytes) {
    return ends.stream().filter(end -> end <= bytes).count();
  }

  void ping() {
    byte[] content = new byte[random.nextInt(LONGEST_PING + 1)];
    random.nextBytes(content);
    pings.add(content);
    frame(Frame.PING, true, false, content);
  }

  private void frame(int opcode, boolean last, boolean compressed, byte[] payload) {
    ByteBuffer frame = Frame.masked(opcode, last, compressed, random.nextInt(), payload);
    out.write(frame.array(), frame.arrayOffset(), frame.remaining());
  }
}

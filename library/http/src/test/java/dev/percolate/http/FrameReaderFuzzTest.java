package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;

/** Chunk borders do not change the frames, limits are enforced, and texts are well-formed. */
final class FrameReaderFuzzTest {

  private static final int MOST_OF_FRAME = 1000;
  private static final int MOST_OF_MESSAGE = 3000;

  /** Records and checks the events. */
  private static final class Read implements FrameReader.Listener {

    private final StringBuilder all = new StringBuilder();
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private boolean text;
    private boolean compressed;
    private boolean within;
    private boolean closed;

    @Override
    public void begin(boolean isText, boolean isCompressed) {
      assertFalse(within || closed);
      within = true;
      text = isText;
      compressed = isCompressed;
      content.reset();
    }

    @Override
    public void data(ByteBuffer piece, boolean last) {
      assertTrue(within && !closed);
      while (piece.hasRemaining()) {
        content.write(piece.get());
      }
      assertTrue(content.size() <= MOST_OF_MESSAGE + (compressed ? 1027 : 0));
      if (last) {
        within = false;
        byte[] bytes = content.toByteArray();
        all.append(text).append(compressed).append(HexFormat.of().formatHex(bytes)).append(';');
        check(bytes);
      }
    }

    @Override
    public void ping(byte[] payload) {
      assertTrue(payload.length <= 125 && !closed);
      all.append("ping").append(HexFormat.of().formatHex(payload)).append(';');
    }

    @Override
    public void pong(byte[] payload) {
      assertTrue(payload.length <= 125 && !closed);
      all.append("pong").append(HexFormat.of().formatHex(payload)).append(';');
    }

    @Override
    public void close(int code, String reason) {
      assertTrue(CloseCode.isSendable(code) || code == CloseCode.NONE);
      closed = true;
      all.append(code).append(reason);
    }

    /** Checks accepted text with the decoder of the JDK, and the limits. */
    private void check(byte[] bytes) {
      if (compressed) {
        try {
          assertTrue(MessageInflater.whole(bytes, MOST_OF_MESSAGE).length <= MOST_OF_MESSAGE);
        } catch (WebSocketException e) {
          assertTrue(e.code() == CloseCode.TOO_BIG || e.code() == CloseCode.INVALID_DATA);
        }
      } else if (text) {
        try {
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
        } catch (CharacterCodingException e) {
          throw new AssertionError("an ill-formed text", e);
        }
      }
    }
  }

  @FuzzTest
  void chunkBordersDoNotChangeFrames(byte[] data) {
    if (data.length == 0) {
      return;
    }
    boolean masked = (data[0] & 1) == 0;
    boolean compression = (data[0] & 2) == 0;
    byte[] bytes = Arrays.copyOfRange(data, 1, data.length);
    String whole = read(bytes, Math.max(1, bytes.length), masked, compression);
    assertEquals(whole, read(bytes, 1, masked, compression));
    int size = 1 + new Random(Arrays.hashCode(data)).nextInt(40);
    assertEquals(whole, read(bytes, size, masked, compression));
  }

  private static String read(byte[] bytes, int size, boolean masked, boolean compression) {
    Read read = new Read();
    FrameReader reader = new FrameReader(masked, compression, MOST_OF_FRAME, MOST_OF_MESSAGE);
    try {
      for (int at = 0; at < bytes.length; at += size) {
        byte[] piece = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + size));
        reader.read(ByteBuffer.wrap(piece), read);
      }
    } catch (WebSocketException e) {
      assertTrue(reader.isOver());
      return read.all + " fails with " + e.code();
    }
    return read.all + " " + reader.isOver();
  }
}

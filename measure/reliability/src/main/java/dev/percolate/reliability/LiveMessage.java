package dev.percolate.reliability;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A message of a conversation. The messages of a series are computed from its id and seed, so both
 * sides know them.
 */
final class LiveMessage {

  /** The maximum number of bytes that one side sends before it waits for the other. */
  static final int MOST_AT_ONCE = 700_000;

  /** The largest message that a server accepts by default. */
  private static final int LARGEST = 64 << 10;

  /** The largest size of a text in characters, some of which have three bytes. */
  private static final int LARGEST_TEXT = 58_000;

  private final boolean text;
  private final byte[] content;

  /**
   * Creates a message.
   *
   * @param text whether it is a text; otherwise it is binary
   * @param content the content, in UTF-8 if it is a text
   */
  LiveMessage(boolean text, byte[] content) {
    this.text = text;
    this.content = content;
  }

  /** Returns the messages of a series. */
  static List<LiveMessage> series(String id, long seed, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<LiveMessage> series = new ArrayList<>(count);
    int all = 0;
    for (int i = 0; i < count && all < MOST_AT_ONCE - LARGEST; i++) {
      LiveMessage message = of(id, i, random);
      all += message.content.length;
      series.add(message);
    }
    return series;
  }

  boolean isText() {
    return text;
  }

  byte[] content() {
    return content;
  }

  /** Returns the text. */
  String asText() {
    return new String(content, UTF_8);
  }

  /** Returns the data of an event with this message, with several lines if it is a text. */
  String asEvent() {
    return text ? asText().replace('€', '\n') : Base64.getEncoder().encodeToString(content);
  }

  /** Returns true if kind and content are equal. */
  boolean equalTo(LiveMessage other) {
    return text == other.text && Arrays.equals(content, other.content);
  }

  @Override
  public String toString() {
    String begin = new String(content, 0, Math.min(content.length, 40), UTF_8);
    return (text ? "text" : "bytes")
        + " of "
        + content.length
        + " \""
        + begin.replaceAll("\\p{Cntrl}", "·")
        + '"';
  }

  private static LiveMessage of(String id, int number, SplittableRandom random) {
    boolean text = random.nextBoolean();
    int size = size(random, text ? LARGEST_TEXT : LARGEST);
    if (!text && random.nextBoolean()) {
      byte[] noise = new byte[size]; // does not shrink by compression
      random.nextBytes(noise);
      return new LiveMessage(false, noise);
    }
    String own = OwnText.of(id + "." + number, size);
    return new LiveMessage(text, (text ? own.replace(' ', '€') : own).getBytes(UTF_8));
  }

  /** Returns a size: zero, the largest, or random, with small ones as frequent as large ones. */
  private static int size(SplittableRandom random, int largest) {
    int drawn = random.nextInt(20);
    return drawn < 2
        ? 0
        : drawn == 2 ? largest : (int) Math.exp(random.nextDouble(Math.log(largest)));
  }
}

package dev.percolate.reliability;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A message of a conversation. Those of a series follow from its id and seed, so that both sides
 * know them.
 */
final class LiveMessage {

  /** How much one side sends at most before it waits for the other. */
  static final int MOST_AT_ONCE = 700_000;

  /** The largest message that a server takes, if nothing else is chosen. */
  private static final int LARGEST = 64 << 10;

  /** Some characters have three bytes. */
  private static final int LARGEST_TEXT = 58_000;

  private final boolean text;
  private final byte[] content;

  /**
   * Creates a message.
   *
   * @param text whether it is a text; else bytes
   * @param content in UTF-8 if it is a text
   */
  LiveMessage(boolean text, byte[] content) {
    this.text = text;
    this.content = content;
  }

  /** Returns a series. */
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

  /** Returns it as an event has it: of several lines if it is a text. */
  String asEvent() {
    return text ? asText().replace('€', '\n') : Base64.getEncoder().encodeToString(content);
  }

  /** Tells whether it is the same, in kind and content. */
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
      byte[] noise = new byte[size]; // does not get shorter by compression
      random.nextBytes(noise);
      return new LiveMessage(false, noise);
    }
    String own = OwnText.of(id + "." + number, size);
    return new LiveMessage(text, (text ? own.replace(' ', '€') : own).getBytes(UTF_8));
  }

  /** Returns a size: nothing, the largest, else small ones as frequent as large ones. */
  private static int size(SplittableRandom random, int largest) {
    int drawn = random.nextInt(20);
    return drawn < 2
        ? 0
        : drawn == 2 ? largest : (int) Math.exp(random.nextDouble(Math.log(largest)));
  }
}

package dev.percolate.reliability;

import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * What one reader of the topic gets over one connection. It stays for some time, and then until it
 * has got what is known to have been published.
 */
final class TopicReading {

  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(15);
  private static final int LONGEST_MS = 3_000;

  private final LiveRequest request;
  private final TopicTally topic;
  private final long since;
  private final long until;
  private final List<String> names = new ArrayList<>();
  private long seen;
  private long awaited = -1;

  /** When a message came last, by {@link System#nanoTime}. */
  private long heard = System.nanoTime();

  private long beats;

  /**
   * Creates a reading that has got nothing.
   *
   * @param since the number that its reader has seen last; 0 for none
   */
  TopicReading(LiveRequest request, TopicTally topic, long since, SplittableRandom random) {
    this.request = request;
    this.topic = topic;
    this.since = since;
    this.seen = since;
    this.until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(LONGEST_MS));
  }

  /** Notes a sign of life that is no message. */
  void beat() {
    beats++;
  }

  /** Takes a message, which is written as JSON. */
  void take(String json) throws ProtocolException {
    heard = System.nanoTime();
    String text = json.substring(1, Math.max(1, json.length() - 1));
    int blank = text.indexOf(' ');
    String name = text.substring(0, Math.max(0, blank));
    if (blank <= 0 || !OwnText.of(name, text.length()).equals(text)) {
      throw new ProtocolException("a message that nobody has published: " + shown(json));
    }
    names.add(name);
  }

  /** Takes a message that comes with its number. */
  void take(String json, long number) throws ProtocolException {
    if (number <= seen) {
      throw new ProtocolException("the message " + number + " behind " + seen);
    }
    take(json);
    topic.heard(names.get(names.size() - 1), number);
    seen = number;
  }

  /** Returns when to look again whether it is {@linkplain #isOver over}. */
  long lookAgain() {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
  }

  /** Tells whether the reader may go, with all that it can expect. */
  boolean isOver() throws ProtocolException {
    long now = System.nanoTime();
    if (now - until < 0) {
      return false;
    }
    look();
    if (awaited < 0) {
      awaited = seen == 0 ? 0 : topic.newest(); // who has got nothing may have come too late for it
    }
    // A client that reads slowly may have long to go, but then messages come all the time.
    if (seen < awaited && now - until > PATIENCE && now - heard > PATIENCE) {
      throw new ProtocolException(
          "the message %d does not come; %d came since %d, the last was %d; %d beats, none for %d ms"
              .formatted(
                  awaited,
                  names.size(),
                  since,
                  seen,
                  beats,
                  TimeUnit.NANOSECONDS.toMillis(now - heard)));
    }
    return seen >= awaited;
  }

  /** Notes all that it has got. */
  void end() {
    topic.read(request, since, names);
  }

  /** Returns the number of the message that was seen last, as far as that is known. */
  long seen() {
    look();
    return seen;
  }

  /** Looks which number the last message has: the answer to its publisher may have come later. */
  private void look() {
    for (int i = names.size() - 1; i >= 0; i--) {
      long number = topic.number(names.get(i));
      if (number > 0) {
        seen = Math.max(seen, number);
        return;
      }
    }
  }

  private static String shown(String json) {
    return json.substring(0, Math.min(json.length(), 60)).replaceAll("\\p{Cntrl}", "·");
  }
}

package dev.percolate.reliability;

import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * The messages that a reader of the topic receives over one connection. It stays for some time, and
 * then until it has received all messages that are known to be published.
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

  /** The time of the last message, by {@link System#nanoTime}. */
  private long heard = System.nanoTime();

  private long beats;

  /**
   * Creates an empty reading.
   *
   * @param since the number of the message that its reader has seen last, or 0
   */
  TopicReading(LiveRequest request, TopicTally topic, long since, SplittableRandom random) {
    this.request = request;
    this.topic = topic;
    this.since = since;
    this.seen = since;
    this.until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(LONGEST_MS));
  }

  /** Counts a heartbeat. */
  void beat() {
    beats++;
  }

  /** Receives a message, which is written as JSON. */
  void take(String json) throws ProtocolException {
    heard = System.nanoTime();
    String text = json.substring(1, Math.max(1, json.length() - 1));
    int blank = text.indexOf(' ');
    String name = text.substring(0, Math.max(0, blank));
    if (blank <= 0 || !OwnText.of(name, text.length()).equals(text)) {
      throw new ProtocolException("an unpublished message: " + shown(json));
    }
    names.add(name);
  }

  /** Receives a message with its number. */
  void take(String json, long number) throws ProtocolException {
    if (number <= seen) {
      throw new ProtocolException("message " + number + " after " + seen);
    }
    take(json);
    topic.heard(names.get(names.size() - 1), number);
    seen = number;
  }

  /** Returns the time of the next call of {@link #isOver}, by {@link System#nanoTime}. */
  long lookAgain() {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
  }

  /** Returns true if the reader has stayed long enough and has received all expected messages. */
  boolean isOver() throws ProtocolException {
    long now = System.nanoTime();
    if (now - until < 0) {
      return false;
    }
    look();
    if (awaited < 0) {
      awaited = seen == 0 ? 0 : topic.newest(); // without messages, it may have subscribed too late
    }
    // A client that reads slowly may need long, but then messages arrive all the time.
    if (seen < awaited && now - until > PATIENCE && now - heard > PATIENCE) {
      throw new ProtocolException(
          "message %d is missing; %d received since %d, the last is %d; %d beats, none for %d ms"
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

  /** Records all messages of this reading. */
  void end() {
    topic.read(request, since, names);
  }

  /** Returns the number of the last message, as far as it is known. */
  long seen() {
    look();
    return seen;
  }

  /** Looks up the number of the last message, which may become known after the message arrives. */
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

package dev.percolate.reliability;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** How {@link LiveHandlers} converse, and how often a client begins such a conversation. */
enum LiveKind {
  /** A socket that gives back what comes, by callbacks. */
  ECHO_CALLED(6),
  /** A socket that gives back what comes, by a thread that waits for whole messages. */
  ECHO_WAITING(4),
  /** A socket that gives back what comes, by a thread that reads and writes streams. */
  ECHO_STREAMING(3),
  /** A socket that sends a series from another thread. */
  SERIES_CALLED(3),
  /** A socket that sends a series from a thread that may wait. */
  SERIES_WAITING(3),
  /** A stream of events that sends a series from another thread. */
  EVENTS_CALLED(3),
  /** A stream of events that sends a series from a thread that may wait. */
  EVENTS_WAITING(3),
  /** A stream of the messages of a topic. */
  TOPIC_EVENTS(4),
  /** A socket with the messages of a topic. */
  TOPIC_SOCKET(3);

  private static final String PREFIX = "live-";

  private final int weight;

  LiveKind(int weight) {
    this.weight = weight;
  }

  /** Returns the kind of a name; null if it is none of these. */
  static @Nullable LiveKind of(String text) {
    return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findAny().orElse(null);
  }

  /** Draws one by its weight. */
  static LiveKind drawn(SplittableRandom random) {
    List<LiveKind> kinds = List.of(values());
    int drawn = random.nextInt(kinds.stream().mapToInt(kind -> kind.weight).sum());
    for (LiveKind kind : kinds) {
      drawn -= kind.weight;
      if (drawn < 0) {
        return kind;
      }
    }
    throw new IllegalStateException("no kind is left");
  }

  /** Returns the name as it is in paths and in tables. */
  String text() {
    return PREFIX + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  boolean isSocket() {
    return !isStream();
  }

  /** Tells whether it is a stream of events. */
  boolean isStream() {
    return this == EVENTS_CALLED || this == EVENTS_WAITING || this == TOPIC_EVENTS;
  }

  boolean isEcho() {
    return this == ECHO_CALLED || this == ECHO_WAITING || this == ECHO_STREAMING;
  }

  boolean isTopic() {
    return this == TOPIC_EVENTS || this == TOPIC_SOCKET;
  }
}

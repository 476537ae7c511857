package dev.percolate.reliability;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** How {@link LiveHandlers} converse, and the weight of such conversations. */
enum LiveKind {
  /** A socket that echoes messages with callbacks. */
  ECHO_CALLED(6),
  /** A socket that echoes whole messages on a blocking thread. */
  ECHO_WAITING(4),
  /** A socket that echoes messages as streams on a blocking thread. */
  ECHO_STREAMING(3),
  /** A socket that sends a series from another thread. */
  SERIES_CALLED(3),
  /** A socket that sends a series from a blocking thread. */
  SERIES_WAITING(3),
  /** An event stream that sends a series from another thread. */
  EVENTS_CALLED(3),
  /** An event stream that sends a series from a blocking thread. */
  EVENTS_WAITING(3),
  /** An event stream of the messages of a topic. */
  TOPIC_EVENTS(4),
  /** A socket with the messages of a topic. */
  TOPIC_SOCKET(3);

  private static final String PREFIX = "live-";

  private final int weight;

  LiveKind(int weight) {
    this.weight = weight;
  }

  /** Returns the kind with this name, or null. */
  static @Nullable LiveKind of(String text) {
    return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findAny().orElse(null);
  }

  /** Returns a random kind by weight. */
  static LiveKind drawn(SplittableRandom random) {
    return RandomChoice.weighted(random, List.of(values()), kind -> kind.weight);
  }

  /** Returns the name that is used in paths and in tables. */
  String text() {
    return PREFIX + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  boolean isSocket() {
    return !isStream();
  }

  /** Returns true if this is an event stream. */
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

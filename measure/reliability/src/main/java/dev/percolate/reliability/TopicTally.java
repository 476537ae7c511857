package dev.percolate.reliability;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Records the messages published to a topic, and the messages that each reader has received. A
 * message begins with the id of the request that published it; its number on the topic defines the
 * order.
 */
final class TopicTally {

  /** The size of a message that can hold the id of its request. */
  static final int NAMED = 20;

  private final Map<String, Long> numbers = new ConcurrentHashMap<>();
  private final NavigableMap<Long, String> published = new ConcurrentSkipListMap<>();
  private final Queue<Reading> readings = new ConcurrentLinkedQueue<>();

  /**
   * The messages that a reader received over one connection.
   *
   * @param reader its request
   * @param since the number of the message that it had seen last, or 0
   * @param names the ids of the publishing requests, in the order in which the messages came
   */
  private record Reading(LiveRequest reader, long since, List<String> names) {}

  /** Records a published message with its number from the response, or null without a number. */
  void published(String name, @Nullable String number) {
    if (number != null) {
      heard(name, Long.parseLong(number));
    }
  }

  /** Records the number of a message from an event stream. */
  void heard(String name, long number) {
    published.put(number, name);
    numbers.put(name, number);
  }

  /** Returns the number of a message, or 0 if it is unknown. */
  long number(String name) {
    return numbers.getOrDefault(name, 0L);
  }

  /** Returns the number of the newest message that is known to be published, or 0. */
  long newest() {
    Map.Entry<Long, String> last = published.lastEntry();
    return last == null ? 0 : last.getKey();
  }

  /** Returns true if all messages after this one are surely kept for reconnecting clients. */
  boolean isKeptSince(long number) {
    return published.tailMap(number, false).size() < LiveHandlers.KEPT / 2;
  }

  /** Records the messages of a reader. */
  void read(LiveRequest reader, long since, List<String> names) {
    readings.add(new Reading(reader, since, List.copyOf(names)));
  }

  long readings() {
    return readings.size();
  }

  long messagesRead() {
    return readings.stream().mapToLong(reading -> reading.names.size()).sum();
  }

  long messages() {
    return published.size();
  }

  /** Returns texts for messages that readers missed, got twice, or in the wrong order. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    NavigableSet<Long> all = new TreeSet<>(published.keySet());
    for (Reading reading : readings) {
      String fault = fault(reading, all);
      if (fault != null) {
        faults.add(reading.reader + " since " + reading.since + ": " + fault);
      }
    }
    return faults;
  }

  private @Nullable String fault(Reading reading, NavigableSet<Long> all) {
    long last = reading.since;
    for (String name : reading.names) {
      long number = number(name);
      if (number == 0) {
        continue; // its publisher disconnected, and no event stream has shown its number
      }
      if (number <= last) {
        return "message " + number + " after " + last;
      }
      int missed = last == 0 ? 0 : all.subSet(last, false, number, false).size();
      if (missed > 0) {
        return missed + " messages missing between " + last + " and " + number;
      }
      last = number;
    }
    return null;
  }
}

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
 * Knows what was published of a topic, and what each reader of it has got. A message begins with
 * the id of the request that has published it; its number on the topic tells the order.
 */
final class TopicTally {

  /** What a message needs to name its request. */
  static final int NAMED = 20;

  private final Map<String, Long> numbers = new ConcurrentHashMap<>();
  private final NavigableMap<Long, String> published = new ConcurrentSkipListMap<>();
  private final Queue<Reading> readings = new ConcurrentLinkedQueue<>();

  /**
   * What one reader has got over one connection.
   *
   * @param reader its request
   * @param since the number that it had seen last; 0 for none
   * @param names of the requests whose messages came, in the order in which they came
   */
  private record Reading(LiveRequest reader, long since, List<String> names) {}

  /** Notes that a message was published, as the answer to its request says; null for none. */
  void published(String name, @Nullable String number) {
    if (number != null) {
      heard(name, Long.parseLong(number));
    }
  }

  /** Notes the number of a message as a stream of events has it. */
  void heard(String name, long number) {
    published.put(number, name);
    numbers.put(name, number);
  }

  /** Returns the number of a message; 0 if it is not known. */
  long number(String name) {
    return numbers.getOrDefault(name, 0L);
  }

  /** Returns the number of the newest message that is known to have been published; 0 for none. */
  long newest() {
    Map.Entry<Long, String> last = published.lastEntry();
    return last == null ? 0 : last.getKey();
  }

  /** Tells whether all that was published behind a message is surely kept for who comes back. */
  boolean isKeptSince(long number) {
    return published.tailMap(number, false).size() < LiveHandlers.KEPT / 2;
  }

  /** Notes what a reader has got. */
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

  /** Returns what readers have missed, got twice, or in another order. */
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
        continue; // its publisher has left, and no stream of events has told its number
      }
      if (number <= last) {
        return "the message " + number + " behind " + last;
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

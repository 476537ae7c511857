package dev.percolate.middleware.overload;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * A server in virtual time. Requests wait for threads, and then for the connections of a pool; each
 * of them can be the bottleneck. The random numbers are the same in each run.
 */
final class SimulatedServer {

  private static final long SECOND = 1_000_000_000L;

  private record Event(long time, long number, Runnable task) implements Comparable<Event> {

    @Override
    public int compareTo(Event other) {
      int order = Long.compare(time, other.time);
      return order != 0 ? order : Long.compare(number, other.number);
    }
  }

  /** The requests of one rank. */
  static final class Tally {

    final List<Long> latencies = new ArrayList<>();
    int rejected;

    long percentile(double share) {
      List<Long> sorted = new ArrayList<>(latencies);
      Collections.sort(sorted);
      return sorted.isEmpty() ? 0 : sorted.get((int) (share * (sorted.size() - 1)));
    }
  }

  private final Random random = new Random(7);
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final Deque<Runnable> threadQueue = new ArrayDeque<>();
  private final Deque<Runnable> poolQueue = new ArrayDeque<>();
  private final AdmissionQueue queue;
  private final List<Tally> tallies = List.of(new Tally(), new Tally(), new Tally());
  private int threads;
  private int connections;
  private long now;
  private long number;

  /** The mean time for which a request holds its thread, in nanoseconds. */
  private long computes;

  /** The mean time for which a request holds a connection, in nanoseconds. */
  long queries;

  private SimulatedServer() {
    this.queue = new AdmissionQueue(() -> now, this::after, Duration.ofMillis(100), 0);
  }

  /** Returns a server whose requests compute on a few threads. */
  static SimulatedServer computing(int threads, Duration each) {
    SimulatedServer server = new SimulatedServer();
    server.threads = threads;
    server.computes = each.toNanos();
    return server;
  }

  /** Returns a server with many threads, whose requests wait for a pool of connections. */
  static SimulatedServer pooled(int connections, Duration each) {
    SimulatedServer server = new SimulatedServer();
    server.threads = Integer.MAX_VALUE;
    server.connections = connections;
    server.queries = each.toNanos();
    return server;
  }

  AdmissionQueue queue() {
    return queue;
  }

  Tally tally(int rank) {
    return tallies.get(rank);
  }

  /** Returns the number of requests with a response other than 503. */
  int served() {
    return tallies.stream().mapToInt(tally -> tally.latencies.size()).sum();
  }

  void forget() {
    for (Tally tally : tallies) {
      tally.latencies.clear();
      tally.rejected = 0;
    }
  }

  /**
   * Sends requests at random times.
   *
   * @param perSecond the mean rate
   * @param shares the share of each rank
   */
  void load(double perSecond, int seconds, double... shares) {
    long end = now + seconds * SECOND;
    for (double time = now + gap(perSecond); time < end; time += gap(perSecond)) {
      double choice = random.nextDouble();
      int rank = choice < shares[0] ? 0 : choice < shares[0] + shares[1] ? 1 : 2;
      at((long) time, () -> arrive(rank));
    }
    run(end);
  }

  private double gap(double perSecond) {
    return -Math.log(1 - random.nextDouble()) * SECOND / perSecond;
  }

  private void run(long end) {
    while (!events.isEmpty() && events.peek().time <= end) {
      Event event = events.remove();
      now = event.time;
      event.task.run();
    }
    now = end;
  }

  private void at(long time, Runnable task) {
    events.add(new Event(time, number++, task));
  }

  private Runnable after(Duration time, Runnable task) {
    at(now + time.toNanos(), task);
    return () -> {};
  }

  private void arrive(int rank) {
    long arrived = now;
    onThread(
        () -> {
          Visit visit = new Visit(rank, arrived);
          queue.enter(visit.entry, now - arrived);
          visit.entered();
        });
  }

  private void onThread(Runnable task) {
    if (threads > 0) {
      threads--;
      task.run();
    } else {
      threadQueue.add(task);
    }
  }

  private void freeThread() {
    Runnable next = threadQueue.poll();
    if (next == null) {
      threads++;
    } else {
      next.run();
    }
  }

  private long vary(long mean) {
    return (long) (mean * (0.5 + random.nextDouble()));
  }

  private final class Visit {

    private final AdmissionQueue.Entry entry;
    private final int rank;
    private final long arrived;
    private boolean entered;
    private boolean started;

    Visit(int rank, long arrived) {
      this.entry = new AdmissionQueue.Entry(rank, this::run, this::reject);
      this.rank = rank;
      this.arrived = arrived;
    }

    /** Returns from the middleware: the thread is free, unless the request has started. */
    void entered() {
      entered = true;
      if (!started) {
        at(now + computes / 200, SimulatedServer.this::freeThread); // a rejection is not for free
      }
    }

    private void run() {
      started = true;
      if (entered) {
        onThread(this::compute);
      } else {
        compute();
      }
    }

    private void reject() {
      tally(rank).rejected++;
    }

    private void compute() {
      at(
          now + vary(computes),
          () -> {
            freeThread();
            if (queries == 0) {
              respond();
            } else if (connections > 0) {
              connections--;
              query();
            } else {
              poolQueue.add(this::query);
            }
          });
    }

    private void query() {
      at(
          now + vary(queries),
          () -> {
            Runnable next = poolQueue.poll();
            if (next == null) {
              connections++;
            } else {
              next.run();
            }
            respond();
          });
    }

    private void respond() {
      tally(rank).latencies.add(now - arrived);
      queue.leave(entry);
    }
  }
}

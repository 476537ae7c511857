package dev.percolate.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Passes new connections to the event loops in turn. Used on the acceptor's thread. A loop that is
 * blocked by a handler gets none; connections that it has not taken go to another loop.
 */
final class ConnectionBalancer implements Acceptor.Target {

  /** How long an iteration of a loop may take before the loop counts as blocked, in nanoseconds. */
  private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(600);

  private final ServerState server;
  private final List<NioLoop> loops;
  private final LongSupplier nanos;

  /** Whether blocked loops are detected; otherwise none counts as blocked. */
  private final boolean looks;

  private final int[] progress;
  private final long[] since;
  private final Queue<Given> open = new ArrayDeque<>();
  private int next;

  /** A connection that is being passed to a loop. The first thread to claim it owns it. */
  private record Given(
      SocketChannel channel, InetAddress peer, long at, AtomicBoolean claimed, NioLoop loop) {

    boolean claim() {
      return claimed.compareAndSet(false, true);
    }
  }

  ConnectionBalancer(ServerState server, List<NioLoop> loops) {
    this(server, loops, System::nanoTime);
  }

  /**
   * Creates a handover with another clock.
   *
   * @param nanos returns nanoseconds, like {@link System#nanoTime}
   */
  ConnectionBalancer(ServerState server, List<NioLoop> loops, LongSupplier nanos) {
    this.server = server;
    this.loops = loops;
    this.nanos = nanos;
    this.looks = server.stepsHoldLoops();
    this.progress = new int[loops.size()];
    this.since = new long[loops.size()];
    Arrays.fill(since, nanos.getAsLong());
  }

  @Override
  public boolean take(SocketChannel channel, InetAddress peer) {
    long now = nanos.getAsLong();
    for (int tried = 0; tried < loops.size(); tried++) {
      int chosen = next;
      next = (next + 1) % loops.size();
      if (!isStuck(chosen, now)) {
        give(new Given(channel, peer, now, new AtomicBoolean(), loops.get(chosen)));
        return true;
      }
    }
    return false;
  }

  @Override
  public void look(long now, Acceptor.Rejection rejection) {
    int held = 0;
    for (int i = 0; i < progress.length; i++) {
      if (!moves(i, now)) {
        loops.get(i).tick();
      }
      if (isStuck(i, now)) {
        loops.get(i).checkHeld(now, since[i]);
        held++;
      }
    }
    server.held(held);
    if (!open.isEmpty()) {
      giveAnew(now, rejection);
    }
  }

  @Override
  public boolean rests() {
    return open.isEmpty() && loops.stream().allMatch(NioLoop::rests);
  }

  private void giveAnew(long now, Acceptor.Rejection rejection) {
    List<Given> lost = open.stream().filter(one -> isLost(one, now)).toList();
    open.removeIf(one -> one.claimed.get());
    for (Given one : lost) { // if one fails, the next check passes the others
      if (open.remove(one) && one.claim()) {
        giveAnew(one, rejection);
      }
    }
  }

  private void giveAnew(Given one, Acceptor.Rejection rejection) {
    boolean taken;
    try {
      taken = take(one.channel, one.peer);
    } catch (RuntimeException | Error e) {
      lose(one);
      throw e;
    }
    if (!taken) {
      rejection.reject(one.channel, one.peer);
    }
  }

  private boolean isLost(Given one, long now) {
    return now - one.at > PATIENCE && isStuck(loops.indexOf(one.loop), now);
  }

  /** Returns true if a loop is blocked. A late check must not count as a blocked loop. */
  private boolean isStuck(int loop, long now) {
    return looks && !moves(loop, now) && now - since[loop] > PATIENCE;
  }

  /** Returns true if a loop has made progress since the last check, or has nothing to do. */
  private boolean moves(int loop, long now) {
    int moved = loops.get(loop).progress();
    boolean moves = moved != progress[loop] || loops.get(loop).rests();
    if (moves) {
      progress[loop] = moved;
      since[loop] = now;
    }
    return moves;
  }

  /** Passes a connection to its loop. If that throws, the caller still owns the connection. */
  private void give(Given one) {
    try {
      if (looks) {
        open.add(one);
      }
      execute(one);
    } catch (RuntimeException | Error e) {
      if (one.claim()) {
        throw e;
      }
    }
  }

  private void execute(Given one) {
    one.loop.execute(
        () -> {
          if (one.claim()) {
            connect(one);
          }
        },
        () -> {
          if (one.claim()) {
            lose(one);
          }
        });
  }

  private void connect(Given one) {
    try {
      NioConnection.open(one.loop, server, one.channel, one.peer);
    } catch (IOException | RuntimeException | Error e) { // usually, the client has disconnected
      lose(one);
    }
  }

  private void lose(Given one) {
    server.left(one.peer, one.channel);
  }
}

package dev.percolate.nio;

import dev.percolate.engine.SafeLog;
import dev.percolate.engine.Turn;
import dev.percolate.engine.loop.Inbox;
import dev.percolate.engine.loop.Starter;
import dev.percolate.engine.loop.StepPool;
import dev.percolate.engine.loop.StepThreads;
import dev.percolate.engine.loop.TimeoutCheck;
import dev.percolate.nio.protocol.ExchangeLoop;
import dev.percolate.nio.wire.LoopMemory;
import dev.percolate.nio.wire.WireLoop;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One thread that reads what its connections send, and writes the answers of a turn in the end of
 * that turn.
 *
 * <pre>{@code
 * select --> what can be read is read --> what other threads have brought (Inbox)
 *   ^                                                     |
 *   +-- now and then: time-outs <-- threads start <-- all is written
 * }</pre>
 *
 * <p>If a connection or a task throws, that connection or task ends with one log line, and the loop
 * continues. If the selector fails, the connections of this loop are closed and another selector is
 * opened. If every iteration fails for 5 seconds, {@link #run} throws.
 *
 * <p>All but {@link #execute}, {@link #add}, {@link #drain} and {@link #stop} is used on its thread
 * only.
 */
final class NioLoop implements Runnable, Executor, WireLoop, ExchangeLoop {

  private static final System.Logger LOG = System.getLogger("dev.percolate.nio");

  private volatile Selector selector;
  private final long everyNanos;
  private final long restNanos;
  private final LoopThreads kind;
  private final boolean parks;
  private final @Nullable Starter starter;
  private final @Nullable StepPool pool;
  private final Executor steps;
  private final Inbox inbox = new Inbox(this::wake);
  private final LoopMemory memory = new LoopMemory();
  private final HeadWriter heads = new HeadWriter();
  private final Supplier<HeadParser> parsers;
  private final Consumer<SelectionKey> ready = this::ready;
  private final LoopMembers members = new LoopMembers();
  private final Queue<Runnable> later = new ArrayDeque<>();
  private List<LoopMember> unflushed = new ArrayList<>();
  private List<LoopMember> flushing = new ArrayList<>();
  private Queue<LoopMember> interrupted = new ArrayDeque<>();
  private final Pauses pauses = new Pauses();
  private final FailedTurns failures = new FailedTurns();
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private @Nullable HeadParser parser;
  private volatile @Nullable Thread thread;
  private volatile boolean waits;
  private volatile boolean stopped;
  private final AtomicInteger progress = new AtomicInteger();
  private boolean draining;

  /** Whether nothing was under way when time-outs were looked at, and nothing has come since. */
  private boolean quiet;

  private long checkedAt = System.nanoTime();

  /**
   * Creates a loop, which {@link #run} begins.
   *
   * @param kind the kind of thread that will run it
   * @param threads give the steps their threads
   * @param check how often time-outs are looked at
   * @param parsers create parsers of heads
   */
  NioLoop(LoopThreads kind, StepThreads threads, TimeoutCheck check, Supplier<HeadParser> parsers)
      throws IOException {
    this.kind = kind;
    this.selector = Selector.open();
    this.everyNanos = TimeUnit.MILLISECONDS.toNanos(check.everyMs());
    this.restNanos = TimeUnit.MILLISECONDS.toNanos(check.restMs());
    this.parsers = parsers;
    this.parks = threads.parks();
    this.starter = threads.starter(this::isHere, this);
    this.pool = threads.pool();
    this.steps = starter != null ? starter : pool != null ? pool : this::executeHere;
  }

  @Override
  public boolean isHere() {
    return Thread.currentThread() == thread;
  }

  /**
   * Returns a number that changes with each turn, and with each connection seen to in one: a loop
   * to which the system gives little time is slow, but none that a step holds; from any thread.
   */
  int progress() {
    return progress.get();
  }

  /** Tells whether there is nothing that the loop should be doing; from any thread. */
  boolean rests() {
    if (!waits || !inbox.isEmpty()) {
      return false;
    }
    // One that is virtual may wait for a carrier; with connections, it looks at the time.
    return kind == LoopThreads.PLATFORM || keys().isEmpty();
  }

  /** Has the loop look at the time, if it waits with connections; from any thread. */
  void tick() {
    if (waits && !keys().isEmpty()) {
      selector.wakeup();
    }
  }

  /** Disconnects clients that take too long while a handler blocks the loop; from any thread. */
  void checkHeld(long now, long since) {
    for (SelectionKey key : keys()) {
      if (key.attachment() instanceof LoopMember member) {
        member.checkHeld(now, since);
      }
    }
  }

  @Override
  public Turn turn() {
    return new Turn(steps, parks);
  }

  @Override
  public @Nullable StepPool pool() {
    return pool;
  }

  /**
   * Tells whether an answer is better left to the loop, which waits for many steps: written one
   * behind the other they cost less than each between two steps; from any thread.
   */
  boolean gathersAnswers() {
    return starter != null && starter.gathers();
  }

  @Override
  public LoopMemory memory() {
    return memory;
  }

  HeadWriter heads() {
    return heads;
  }

  /** Returns a parser that has read nothing; it is the caller's until given back. */
  HeadParser takeParser() {
    HeadParser free = parser;
    parser = null;
    return free == null ? parsers.get() : free;
  }

  /** Takes a parser back, with what it has read still in it. */
  void giveParser(HeadParser used) {
    used.reset();
    parser = used;
  }

  /** Runs a task on the loop: in the end of its turn if its own thread asks. */
  @Override
  public void execute(Runnable task) {
    if (isHere()) {
      later.add(task);
    } else {
      execute(task, () -> {});
    }
  }

  @Override
  public void execute(Runnable task, Runnable lost) {
    inbox.add(task, lost);
  }

  /** Looks after a connection from now on; on the loop. */
  SelectionKey add(LoopMember member, SocketChannel channel) throws IOException {
    SelectionKey key = channel.register(selector, SelectionKey.OP_READ, member);
    members.add(member);
    quiet = false;
    return key;
  }

  /** Has another one look after a connection from now on, in the place of who did so. */
  void replace(LoopMember before, LoopMember after, SelectionKey key) {
    members.replace(before, after);
    Object ignored = key.attach(after);
  }

  /** Looks after a connection no longer. */
  void remove(LoopMember member) {
    members.remove(member);
    endIfDrained();
  }

  /** Flushes a connection in the end of this turn. */
  void flushLater(LoopMember member) {
    unflushed.add(member);
  }

  /** Lets a connection go on in the next turn, so that others come in between. */
  void goOnLater(LoopMember member) {
    interrupted.add(member);
  }

  /** Lets a connection go on after a while, or somewhat later. */
  void goOnAfter(LoopMember member, long nanos) {
    pauses.add(member, System.nanoTime() + nanos);
  }

  /** Waits until there are no connections any more; from any thread. */
  CompletableFuture<Void> drain() {
    execute(
        () -> {
          draining = true;
          quiet = false;
          endIfDrained();
        },
        () -> drained.complete(null));
    return drained;
  }

  /** Ends the loop, and what connections it has; from any thread. */
  void stop() {
    stopped = true;
    selector.wakeup();
  }

  @Override
  public void run() {
    thread = Thread.currentThread();
    try {
      while (!stopped) {
        goRound();
      }
    } finally {
      end();
    }
  }

  private void goRound() {
    try {
      if (!selector.isOpen()) {
        renew();
      }
      runTurn();
      failures.none();
    } catch (Throwable e) {
      if (e instanceof IOException) { // from the selector
        discard();
      }
      failures.add(e);
    }
  }

  /** Closes all connections and opens another selector. */
  private void renew() throws IOException {
    closeAll();
    selector = Selector.open();
    SafeLog.log(LOG, Level.WARNING, "an event loop's selector failed; closed connections", null);
  }

  private void runTurn() throws IOException {
    select();
    progressed();
    inbox.takeAll();
    for (int left = interrupted.size(); left > 0; left--) {
      guarded(interrupted.remove(), LoopMember::goOn);
    }
    endPauses();
    flush();
    if (!later.isEmpty()) {
      for (Runnable task = later.poll(); task != null; task = later.poll()) {
        attempt(task);
      }
      giveWay();
    }
    long now = System.nanoTime();
    if (nanosToCheck(now) <= 0) {
      checkedAt = now;
      check(now);
    }
  }

  private void endPauses() {
    if (pauses.isEmpty()) {
      return;
    }
    long now = System.nanoTime();
    for (LoopMember next = pauses.poll(now); next != null; next = pauses.poll(now)) {
      guarded(next, LoopMember::goOn);
    }
  }

  /** Lets those run that were started in this turn. */
  @SuppressWarnings(
      "ThreadPriorityCheck") // of a virtual thread it is no hint: it frees the carrier
  private void giveWay() {
    if (kind == LoopThreads.VIRTUAL) {
      Thread.yield();
    } else if (starter != null) {
      starter.awaitStarted();
    }
  }

  private void select() throws IOException {
    boolean interrupts = Thread.interrupted(); // by a step; the selector would never wait again
    if (interrupts || !interrupted.isEmpty() || !unflushed.isEmpty()) {
      selector.selectNow(ready);
      return;
    }
    waits = true; // seen by those who bring something from now on
    try {
      if (inbox.isEmpty() && !stopped) {
        selector.select(ready, kind.ticks() || members.isEmpty() ? 0 : millisToCheck());
      } else {
        selector.selectNow(ready);
      }
    } finally {
      waits = false;
    }
  }

  private long millisToCheck() {
    long left = nanosToCheck(System.nanoTime());
    return pauses.millisToNext(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left) + 1));
  }

  private long nanosToCheck(long now) {
    return checkedAt + (quiet ? restNanos : everyNanos) - now;
  }

  private void ready(SelectionKey key) {
    if (waits) {
      waits = false; // it no longer does
    }
    progressed();
    quiet = false;
    LoopMember member = (LoopMember) key.attachment();
    try {
      if (key.isValid()) {
        member.ready(key.readyOps());
      }
    } catch (Throwable e) {
      failed(member, e);
    }
  }

  private void flush() {
    List<LoopMember> now = unflushed;
    unflushed = flushing; // what is written meanwhile is for the next turn
    flushing = now;
    for (int i = 0; i < now.size(); i++) {
      guarded(now.get(i), LoopMember::flush);
    }
    now.clear();
    if (unflushed.isEmpty()) {
      memory.arena().clear();
    }
  }

  private void check(long now) {
    quiet = !draining;
    if (starter != null) {
      attempt(starter::retry);
    }
    for (int i = members.size() - 1; i >= 0; i--) {
      if (i < members.size()) { // others may have gone with the one before
        guarded(members.get(i), member -> check(member, now));
      }
    }
    if (pool != null) {
      attempt(() -> pool.check(now));
    }
  }

  private void check(LoopMember member, long now) {
    member.check(now);
    quiet &= member.rests();
  }

  /** Does something with a connection; one with which it fails must not take others along. */
  private void guarded(LoopMember member, Consumer<LoopMember> action) {
    progressed();
    try {
      action.accept(member);
    } catch (Throwable e) {
      failed(member, e);
    }
  }

  private void failed(LoopMember member, Throwable cause) {
    SafeLog.log(LOG, Level.ERROR, "an event loop closed a connection that failed", cause);
    close(member);
  }

  /** Closes a connection; removes it from the loop even if closing fails. */
  private void close(LoopMember member) {
    LoopMembers.close(member);
    if (members.has(member)) {
      remove(member);
    }
  }

  /** Runs a task that is not part of one connection. Logs a failure. Never throws. */
  private static void attempt(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      SafeLog.log(LOG, Level.ERROR, "a task of an event loop failed", e);
    }
  }

  /** Returns the keys of all connections; empty while the selector is closed. From any thread. */
  private Set<SelectionKey> keys() {
    try {
      return selector.keys();
    } catch (ClosedSelectorException e) {
      return Set.of();
    }
  }

  private void progressed() {
    progress.lazySet(progress.getPlain() + 1);
  }

  private void executeHere(Runnable task) {
    if (isHere()) {
      task.run();
    } else {
      inbox.add(task, () -> executeLast(task));
    }
  }

  /** Runs a task of a turn that goes on when the loop has ended. */
  private static void executeLast(Runnable task) {
    Thread last = new Thread(task, "percolate-last");
    last.setDaemon(true);
    last.start();
  }

  private void wake(Runnable taking) {
    if (waits) {
      selector.wakeup();
    }
  }

  private void endIfDrained() {
    if (draining && members.isEmpty()) {
      drained.complete(null);
    }
  }

  private void closeAll() {
    while (!members.isEmpty()) {
      close(members.get(members.size() - 1));
    }
  }

  private void end() {
    closeAll();
    inbox.close();
    drained.complete(null);
    discard();
  }

  /** Gives back what a loop has that does not run. */
  void discard() {
    try {
      selector.close();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "the selector of an event loop could not be closed", e);
    }
  }
}

package dev.percolate.nio;

import dev.percolate.engine.Daemon;
import dev.percolate.engine.SafeLog;
import dev.percolate.engine.SerialExecutor;
import dev.percolate.nio.loop.Inbox;
import dev.percolate.nio.loop.StepPool;
import dev.percolate.nio.loop.StepThreads;
import dev.percolate.nio.loop.TimeoutCheck;
import dev.percolate.nio.loop.VirtualThreadBatcher;
import dev.percolate.nio.protocol.ExchangeLoop;
import dev.percolate.nio.transport.LoopMemory;
import dev.percolate.nio.transport.TransportLoop;
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
 * An event loop: one thread that reads from its connections and, at the end of each iteration,
 * writes the responses of that iteration.
 *
 * <pre>{@code
 * select --> read what is ready --> run tasks of other threads (Inbox)
 *   ^                                                     |
 *   +-- periodically: timeouts <-- start threads <-- write all output
 * }</pre>
 *
 * <p>If a connection or a task throws, that connection or task ends with one log line, and the loop
 * continues. If the selector fails, the connections of this loop are closed and another selector is
 * opened. If every iteration fails for 5 seconds, {@link #run} throws.
 *
 * <p>Methods are called on the loop's thread only, unless documented otherwise.
 */
final class NioLoop implements Runnable, Executor, TransportLoop, ExchangeLoop {

  private static final System.Logger LOG = System.getLogger("dev.percolate.nio");

  private volatile Selector selector;
  private final long everyNanos;
  private final long restNanos;
  private final LoopThreads kind;
  private final boolean parks;
  private final @Nullable VirtualThreadBatcher batcher;
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
  private final FailedIterations failures = new FailedIterations(FailedIterations.PATIENCE);
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private @Nullable HeadParser parser;
  private volatile @Nullable Thread thread;
  private volatile boolean waits;
  private volatile boolean stopped;
  private final AtomicInteger progress = new AtomicInteger();
  private boolean draining;

  /** Whether nothing was in progress at the last check of timeouts, or has happened since. */
  private boolean quiet;

  private long checkedAt = System.nanoTime();

  /**
   * Creates a loop. {@link #run} starts it.
   *
   * @param kind the kind of thread that will run it
   * @param threads provides the threads of the handlers
   * @param check how often timeouts are checked
   * @param parsers creates parsers of request heads
   */
  NioLoop(LoopThreads kind, StepThreads threads, TimeoutCheck check, Supplier<HeadParser> parsers)
      throws IOException {
    this.kind = kind;
    this.selector = Selector.open();
    this.everyNanos = TimeUnit.MILLISECONDS.toNanos(check.everyMs());
    this.restNanos = TimeUnit.MILLISECONDS.toNanos(check.restMs());
    this.parsers = parsers;
    this.parks = threads.parks();
    this.batcher = threads.starter(this::isHere, this);
    this.pool = threads.pool();
    this.steps = batcher != null ? batcher : pool != null ? pool : this::executeHere;
  }

  @Override
  public boolean isHere() {
    return Thread.currentThread() == thread;
  }

  /**
   * Returns a number that changes with each iteration, and with each connection that is processed
   * in one. So a loop that gets little processor time is not taken for a blocked one. May be called
   * on any thread.
   */
  int progress() {
    return progress.get();
  }

  /** Returns true if the loop has nothing to do. May be called on any thread. */
  boolean rests() {
    if (!waits || !inbox.isEmpty()) {
      return false;
    }
    // A virtual thread may wait for a carrier, so with connections it may have timeouts to check.
    return kind == LoopThreads.PLATFORM || keys().isEmpty();
  }

  /** Wakes a waiting loop with connections to check timeouts. May be called on any thread. */
  void tick() {
    if (waits && !keys().isEmpty()) {
      selector.wakeup();
    }
  }

  /** Disconnects slow clients while a handler blocks the loop. May be called on any thread. */
  void checkHeld(long now, long since) {
    for (SelectionKey key : keys()) {
      if (key.attachment() instanceof LoopMember member) {
        member.checkHeld(now, since);
      }
    }
  }

  @Override
  public SerialExecutor newExecutor() {
    return new SerialExecutor(steps, parks);
  }

  @Override
  public @Nullable StepPool pool() {
    return pool;
  }

  /**
   * Returns true if the loop should write a response because it waits for many handlers: writing
   * the responses together costs less than writing each one between two handlers. May be called on
   * any thread.
   */
  boolean gathersResponses() {
    return batcher != null && batcher.gathers();
  }

  @Override
  public LoopMemory memory() {
    return memory;
  }

  HeadWriter heads() {
    return heads;
  }

  /** Returns a parser in its initial state. The caller owns it until {@link #giveParser}. */
  HeadParser takeParser() {
    HeadParser free = parser;
    parser = null;
    return free == null ? parsers.get() : free;
  }

  /** Resets a parser that is no longer used, and keeps it for reuse. */
  void giveParser(HeadParser used) {
    used.reset();
    parser = used;
  }

  /** Runs a task on the loop; one from the loop's own thread at the end of the iteration. */
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

  /** Adds a connection to the loop. Called on the loop. */
  SelectionKey add(LoopMember member, SocketChannel channel) throws IOException {
    SelectionKey key = channel.register(selector, SelectionKey.OP_READ, member);
    members.add(member);
    quiet = false;
    return key;
  }

  /** Replaces a connection by another one with the same socket. */
  void replace(LoopMember before, LoopMember after, SelectionKey key) {
    members.replace(before, after);
    Object ignored = key.attach(after);
  }

  /** Removes a connection from the loop. */
  void remove(LoopMember member) {
    members.remove(member);
    endIfDrained();
  }

  /** Flushes a connection at the end of this iteration. */
  void flushLater(LoopMember member) {
    unflushed.add(member);
  }

  /** Continues a connection in the next iteration, after other connections. */
  void goOnLater(LoopMember member) {
    interrupted.add(member);
  }

  /** Continues a connection after a while. */
  void goOnAfter(LoopMember member, long nanos) {
    members.pause(member, System.nanoTime() + nanos);
  }

  /** Returns a future that completes when no connections are left. Callable on any thread. */
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

  /** Stops the loop and closes its connections. May be called on any thread. */
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
    SafeLog.log(LOG, Level.WARNING, "a selector failed; closed the connections of its loop", null);
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
        Inbox.run(task);
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
    if (!members.isAnyPaused()) {
      return;
    }
    long now = System.nanoTime();
    for (LoopMember next = members.resumed(now); next != null; next = members.resumed(now)) {
      guarded(next, LoopMember::goOn);
    }
  }

  /** Lets the handlers run that were started in this iteration. */
  @SuppressWarnings("ThreadPriorityCheck") // on a virtual thread, yield releases the carrier
  private void giveWay() {
    if (kind == LoopThreads.VIRTUAL) {
      Thread.yield();
    } else if (batcher != null) {
      batcher.awaitStarted();
    }
  }

  private void select() throws IOException {
    boolean interrupts = Thread.interrupted(); // by a handler; the selector would never wait again
    if (interrupts || !interrupted.isEmpty() || !unflushed.isEmpty()) {
      selector.selectNow(ready);
      return;
    }
    waits = true; // visible to threads that submit tasks from now on
    try {
      if (inbox.isEmpty() && !stopped) {
        boolean isWoken = kind == LoopThreads.VIRTUAL || members.isEmpty();
        selector.select(ready, isWoken ? 0 : millisToCheck());
      } else {
        selector.selectNow(ready);
      }
    } finally {
      waits = false;
    }
  }

  private long millisToCheck() {
    long left = nanosToCheck(System.nanoTime());
    return members.millisToResume(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left) + 1));
  }

  private long nanosToCheck(long now) {
    return checkedAt + (quiet ? restNanos : everyNanos) - now;
  }

  private void ready(SelectionKey key) {
    if (waits) {
      waits = false; // the loop is awake
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
    unflushed = flushing; // what is written meanwhile belongs to the next iteration
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
    if (batcher != null) {
      Inbox.run(batcher::retry);
    }
    for (int i = members.size() - 1; i >= 0; i--) {
      if (i < members.size()) { // closing a connection may close others
        guarded(members.get(i), member -> check(member, now));
      }
    }
    if (pool != null) {
      Inbox.run(() -> pool.check(now));
    }
  }

  private void check(LoopMember member, long now) {
    member.check(now);
    quiet &= member.rests();
  }

  /** Calls an action on a connection. A failure closes only that connection. */
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

  /** Returns the keys of all connections; empty if the selector is closed. For any thread. */
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

  /** Runs a task of an exchange that continues after the loop has ended. */
  private static void executeLast(Runnable task) {
    Daemon.thread(task, "percolate-last").start();
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

  /** Releases the resources of a loop that does not run. */
  void discard() {
    try {
      selector.close();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "the selector of an event loop could not be closed", e);
    }
  }
}

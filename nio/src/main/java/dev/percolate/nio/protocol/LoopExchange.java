package dev.percolate.nio.protocol;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.Callbacks;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.SafeLog;
import dev.percolate.engine.StateField;
import dev.percolate.engine.Turn;
import dev.percolate.engine.loop.Progress;
import dev.percolate.engine.loop.StepPool;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer on an event loop: where its steps run, what it takes of the server,
 * and how it ends. What it says to the client is up to its protocol.
 */
public abstract class LoopExchange implements Exchange, Progress.Ends {

  private static final System.Logger LOG = System.getLogger("dev.percolate.nio");

  private static final Over ANSWERED = new Over(null, true);
  private static final VarHandle UNANSWERED =
      StateField.of(MethodHandles.lookup(), "unanswered", boolean.class);
  private static final VarHandle END = StateField.of(MethodHandles.lookup(), "end", Object.class);

  private final ExchangeLoop loop;
  private final Requests requests;
  private final Turn turn;
  private final @Nullable Progress progress;
  private BodyMemory.@Nullable Room room;

  /** Whether somebody else gives the room back. */
  private volatile boolean roomIsAsked;

  /** Whether pieces of the answer have come from outside of the loop, where they queue. */
  private volatile boolean queued;

  /** Whether the server is to be told when the steps have given an answer. */
  private volatile boolean unanswered;

  /** Null; who will be told of the end; then how it ended, an {@link Over}. */
  private volatile @Nullable Object end;

  private record Over(@Nullable Throwable failure, boolean headSent) {}

  /** Creates the exchange of a head. */
  @SuppressWarnings("this-escape") // to one who only keeps it
  protected LoopExchange(ExchangeLoop loop, Requests requests) {
    this.loop = loop;
    this.requests = requests;
    this.turn = loop.turn();
    this.progress = loop.pool() == null ? null : new Progress(this, System.nanoTime());
  }

  /** Returns what all exchanges of the connection may take of the memory for bodies. */
  protected abstract BodyMemory.Share share();

  /** Notes that the client has gone. */
  public abstract void hungUp();

  /** Ends the exchange, even if part of its response has been sent; on the loop. */
  protected abstract void cutOff();

  /**
   * Returns true if the kernel has a part of the response, or will get it; called once, when the
   * exchange ends before its response is complete.
   */
  protected abstract boolean isHeadSent();

  /** Takes room for a body, which is given back in the end; once. */
  protected final BodyMemory.Room bodyRoom() {
    BodyMemory.Room taken = share().room();
    room = taken;
    return taken;
  }

  /** Returns who is told how fast the client is; null where nobody wants to know. */
  protected final @Nullable Progress progress() {
    return progress;
  }

  /** Leads the request through the chain. */
  protected final void enter() {
    unanswered = requests.stepping();
    try {
      turn.execute(() -> requests.service().serve(this));
    } catch (RuntimeException | Error e) { // such as "unable to create native thread"
      LOG.log(Level.ERROR, "a request got no thread", e);
      abort();
    }
  }

  @Override
  public final boolean mayBlock() {
    return !loop.isHere();
  }

  @Override
  public final Turn turn() {
    return turn;
  }

  @Override
  public final void await(BooleanSupplier over) {
    StepPool pool = loop.pool();
    if (pool != null && progress != null) {
      pool.await(progress, () -> Exchange.park(over));
    } else {
      Exchange.park(over);
    }
  }

  @Override
  public final Duration answerTimeout() {
    return requests.options().answerTimeout();
  }

  @Override
  public final Duration bodyTimeout() {
    return requests.options().bodyTimeout();
  }

  @Override
  public final BodyMemory.Room room() {
    roomIsAsked = true;
    BodyMemory.Room known = room;
    return known == null ? share().room() : known;
  }

  @Override
  public final boolean refuseRoom() {
    return room != null && room.refuse();
  }

  @Override
  public final void onEnd(OnEnd callback) {
    Object now = end;
    while (!(now instanceof Over) && !END.compareAndSet(this, now, (Object) callback)) {
      now = end;
    }
    if (now instanceof Over over) {
      tell(callback, over.failure);
    }
  }

  /** Notes that the client is to take a piece of the answer. */
  public final void owes() {
    if (progress != null) {
      progress.owes(System.nanoTime());
    }
  }

  /** Notes that it has taken one. */
  public final void pays() {
    if (progress != null) {
      progress.pays(System.nanoTime());
    }
  }

  /** Notes how much the client has taken since the last time. */
  public final void moved(long bytes) {
    if (bytes > 0) {
      Progress.note(progress, bytes, progress == null ? 0 : System.nanoTime());
    }
  }

  /** Looks at the time. */
  protected final void look(long now) {
    if (progress != null) {
      progress.look(now);
    }
  }

  /** Notes that the steps have given their answer, or that there is nobody to give it to. */
  protected final void answered() {
    if (unanswered && UNANSWERED.compareAndSet(this, true, false)) {
      requests.answered();
    }
  }

  /** Notes that the answer has gone out, or never will; tells whether this is the first call. */
  public final boolean over(@Nullable Throwable cause) {
    Over how = cause == null ? ANSWERED : new Over(cause, isHeadSent());
    Object told = end;
    while (!(told instanceof Over) && !END.compareAndSet(this, told, (Object) how)) {
      told = end;
    }
    if (told instanceof Over) {
      return false;
    }
    try {
      answered();
      if (room != null && !roomIsAsked) {
        room.release();
      }
    } finally {
      try {
        tell(told, cause);
      } finally {
        turn.executeHere(this::finished);
      }
    }
    return true;
  }

  /** Calls the listener, if any. Logs a failure, which must not reach others on the loop. */
  private static void tell(@Nullable Object told, @Nullable Throwable cause) {
    try {
      if (told instanceof OnEnd listener) {
        listener.ended(cause);
      }
    } catch (Throwable thrown) {
      Callbacks.failed("a callback of the end of a request", thrown);
    }
  }

  /** Is called when the exchange is over, and no step of it runs any more. */
  protected void finished() {
    requests.finished();
  }

  /** Returns true if it ended before the head of its response was handed to the connection. */
  protected final boolean isUnsent() {
    return end instanceof Over over && !over.headSent;
  }

  /** Tells whether it is over. */
  protected final boolean isOver() {
    return end instanceof Over;
  }

  /** Has what follows on the loop queue behind what other threads have brought. */
  protected final void queue() {
    queued = true;
  }

  /** Tells whether it does. */
  protected final boolean isQueued() {
    return queued;
  }

  /** Tells whether the calling thread is the loop's. */
  protected final boolean isOnLoop() {
    return loop.isHere();
  }

  /** Has a task done on the loop, and behind pieces of the answer that queue there. */
  public final void onLoop(Runnable task, Runnable lost) {
    if (!queued && loop.isHere()) {
      task.run();
    } else {
      loop.execute(() -> runOnLoop(task), lost);
    }
  }

  /** Runs a task of another thread; if it fails, ends the exchange, so that no client waits. */
  private void runOnLoop(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) { // such as no memory for the head of a response
      SafeLog.log(LOG, Level.ERROR, "a response could not be sent; closed its request", e);
      cutOff();
    }
  }
}

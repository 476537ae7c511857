package dev.percolate.core;

import dev.percolate.http.Headers;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Commits the answer of one exchange, once, and hands its bytes over with back-pressure.
 *
 * <pre>
 *   open --claim (first of all threads)--> claimed --start--> STARTED --end--> ENDED
 *     ^                                       | |                                ^
 *     |                                       | +------ start and end at once ---+
 *     +------- release: making it failed -----+
 * </pre>
 */
final class Answer {

  private static final Object STARTED = "started";
  private static final Object ENDED = "ended";
  private static final VarHandle STATE = StateField.of(MethodHandles.lookup(), Object.class);

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

  /** How many unwritten bytes make a writer wait. */
  private static final long HIGH_WATER = 64 << 10;

  /** How many unwritten bytes a writer that may not wait can leave behind. */
  private static final long LOOP_LIMIT = 1 << 20;

  private final Exchange exchange;
  private @Nullable FilteredExchange filtered;
  private final Faults faults;
  private final AtomicLong unwritten = new AtomicLong();

  /**
   * Null while it is open; the thread that has claimed it; then {@link #STARTED}, {@link #ENDED}.
   */
  private volatile @Nullable Object state;

  private boolean body = true;
  private long announced = -1;
  private long written;
  private boolean foreign;
  private volatile @Nullable Throwable claimed;
  private volatile @Nullable Throwable broken;
  private volatile @Nullable Thread waiting;

  Answer(Exchange exchange, Faults faults) {
    this.exchange = exchange;
    this.faults = faults;
  }

  /** Tells whether the head has gone out, or is about to by another thread. */
  boolean started() {
    Object now = state;
    return now != null && now != Thread.currentThread();
  }

  /** Tells whether another thread is about to answer. */
  boolean claimedElsewhere() {
    return state instanceof Thread claimant && claimant != Thread.currentThread();
  }

  /** Tells whether somebody has answered, or is about to. */
  boolean taken() {
    return state != null;
  }

  boolean ended() {
    return state == ENDED;
  }

  /** Takes the right to answer, or throws because somebody else has it. */
  void claim() {
    if (!tryClaim()) {
      throw secondAnswer();
    }
  }

  boolean tryClaim() {
    if (!STATE.compareAndSet(this, (Object) null, (Object) Thread.currentThread())) {
      return false;
    }
    if (faults.development()) {
      claimed = new Throwable("the first answer");
    }
    return true;
  }

  /** Lets the calling thread use the right taken for an answer given outside of the chain. */
  void claimHere() {
    state = Thread.currentThread();
    foreign = true;
  }

  /** Gives the right back, since the answer could not be made; its filters go with it. */
  void release() {
    FilteredExchange dropped = filtered;
    filtered = null;
    if (dropped != null) {
      dropped.closeFilters();
    }
    claimed = null;
    state = null;
  }

  /** Puts a filter before the connection, while the claimed answer is being made. */
  void filter(BodyFilter filter) {
    if (foreign) {
      throw new IllegalStateException("filter(…): the answer is given outside of the chain");
    }
    if (state != Thread.currentThread()) {
      throw new IllegalStateException("filter(…): only hooks of onHeaders can");
    }
    if (filtered == null) {
      filtered = new FilteredExchange(exchange);
    }
    filtered.add(filter);
  }

  /**
   * Starts the claimed answer; one that has a body must keep to its announced length.
   *
   * @param body whether it has one; if not, what is written of it is dropped
   * @param whole whether its end follows at once. It stays claimed until then, lest another thread
   *     put its bytes between head and body
   */
  void start(int status, Headers headers, boolean body, boolean whole) {
    this.body = body;
    String length = body ? headers.get("Content-Length") : null;
    announced = length == null ? -1 : digits(length);
    out().start(status, headers);
    if (!whole) {
      state = STARTED;
    }
  }

  /** Notes that the engine has given the whole answer itself. */
  void alreadyEnded() {
    state = ENDED;
  }

  /** Closes the connection if the answer is half given, lest a client take it for a whole one. */
  void cut() {
    if (state == STARTED) {
      exchange.abort();
    }
  }

  /** Throws unless the answer has been started in pieces, and not been ended. */
  private void checkOpenToWrite() {
    if (state != STARTED) {
      throw secondAnswer();
    }
  }

  void end(ByteBuffer last) {
    boolean whole = STATE.compareAndSet(this, (Object) Thread.currentThread(), ENDED);
    if (!whole && !STATE.compareAndSet(this, STARTED, ENDED)) {
      throw secondAnswer();
    }
    if (!body) {
      endBodyless();
      return;
    }
    if (announced >= 0 && written + last.remaining() != announced) {
      exchange.abort();
      throw new IllegalStateException(
          "the body has " + (written + last.remaining()) + " bytes, Content-Length " + announced);
    }
    out().end(last);
  }

  void send(FileContent file, FileRange part) {
    state = ENDED;
    file.send(out(), part);
  }

  /** Sends the head alone. */
  void flush() {
    if (body) {
      out().write(NOTHING, failure -> written(0, failure));
    }
  }

  /** Sends what filters hold back. */
  void flushFiltered() throws IOException {
    FilteredExchange filters = filtered;
    if (body && filters != null) {
      checkOpenToWrite();
      filters.flush(failure -> written(0, failure));
      failIfBroken();
    }
  }

  /** Writes, and waits while the client is slow; where waiting is not allowed, up to a limit. */
  void write(ByteBuffer bytes) throws IOException {
    checkOpenToWrite();
    if (!body) {
      return;
    }
    failIfBroken();
    int size = bytes.remaining();
    if (announced >= 0 && written + size > announced) {
      throw new IllegalStateException("more bytes than Content-Length " + announced);
    }
    if (!exchange.mayBlock() && unwritten.get() + size > LOOP_LIMIT && unwritten.get() > 0) {
      throw new IOException(
          "the client reads too slowly: " + unwritten.get() + " bytes wait, and no step may wait");
    }
    written += size;
    unwritten.addAndGet(size);
    out().write(bytes, failure -> written(size, failure));
    if (unwritten.get() > HIGH_WATER && exchange.mayBlock()) {
      awaitDrained();
    }
    failIfBroken();
  }

  private Exchange out() {
    return filtered == null ? exchange : filtered;
  }

  private void endBodyless() {
    if (filtered == null) {
      exchange.end(NOTHING);
    } else {
      filtered.endBodyless();
    }
  }

  private void written(int size, @Nullable Throwable failure) {
    if (failure != null) {
      broken = failure;
    }
    long left = unwritten.addAndGet(-size);
    Thread writer = waiting;
    if (writer != null && (left <= HIGH_WATER / 2 || failure != null)) {
      LockSupport.unpark(writer);
    }
  }

  private void awaitDrained() {
    boolean interrupted = false;
    waiting = Thread.currentThread();
    while (unwritten.get() > HIGH_WATER / 2 && broken == null) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    waiting = null;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void failIfBroken() throws IOException {
    Throwable failure = broken;
    if (failure != null) {
      throw new ClientGone(failure);
    }
  }

  private static long digits(String length) {
    for (int i = 0; i < length.length(); i++) {
      if (length.charAt(i) < '0' || length.charAt(i) > '9') { // also a sign, which parseLong takes
        throw new NumberFormatException("Content-Length \"" + length + "\": not a number of bytes");
      }
    }
    return Long.parseLong(length);
  }

  private IllegalStateException secondAnswer() {
    faults.secondAnswer();
    Throwable first = claimed;
    if (first == null) {
      return new IllegalStateException("answered before");
    }
    return new IllegalStateException(
        "answered before, " + Place.of(first) + "; now again " + Place.of(new Throwable()), first);
  }
}

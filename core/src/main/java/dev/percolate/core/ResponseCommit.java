package dev.percolate.core;

import dev.percolate.engine.CallSite;
import dev.percolate.engine.Callbacks;
import dev.percolate.engine.ClientGone;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.StateField;
import dev.percolate.http.ContentLength;
import dev.percolate.http.Headers;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
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
 *
 * <p>Its monitor guards status, headers and hooks of the response: they are changed inside it, and
 * claiming takes it, so that what is changed after the claim comes from the claimant alone. Pieces
 * of a started answer may come from several threads; a lock keeps them apart.
 */
final class ResponseCommit {

  private static final Object STARTED = "started";
  private static final Object ENDED = "ended";
  private static final VarHandle STATE = StateField.of(MethodHandles.lookup(), Object.class);
  private static final VarHandle UNWRITTEN =
      StateField.of(MethodHandles.lookup(), "unwritten", long.class);
  private static final VarHandle WAITING =
      StateField.of(MethodHandles.lookup(), "waiting", WaitingWriter.class);

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

  /** How many unwritten bytes make a writer wait. */
  private static final long HIGH_WATER = 64 << 10;

  /** How many unwritten bytes a writer that may not wait can leave behind. */
  private static final long LOOP_LIMIT = 1 << 20;

  private final Exchange exchange;
  private @Nullable FilteredExchange filtered;
  private final ErrorCounters faults;
  private final Watched watched;

  /**
   * Null while it is open; the thread that has claimed it; then {@link #STARTED}, {@link #ENDED}.
   */
  private volatile @Nullable Object state;

  private boolean body = true;
  private int status;
  private boolean foreign; // given outside of the chain
  private volatile boolean givenUp;
  private volatile @Nullable Throwable claimed;
  private volatile @Nullable Throwable broken;

  /** The headers of a started answer until the engine gets them, with the first bytes. */
  private @Nullable Headers head;

  /** Keeps pieces from several threads apart; null unless the answer was started in pieces. */
  private @Nullable ReentrantLock pieces;

  private long announced = -1;
  private long sent;
  private boolean pieced; // the head went out before the last piece
  private long added = -1;
  private volatile long unwritten;
  private volatile @Nullable WaitingWriter waiting;

  ResponseCommit(Exchange exchange, ErrorCounters faults, Watched watched) {
    this.exchange = exchange;
    this.faults = faults;
    this.watched = watched;
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

  /** Returns the status code that the client got; 0 for none; given outside, the current one. */
  int sentStatus(int current) {
    if (head != null || !started()) {
      return 0;
    }
    return foreign ? current : exchange.sentStatus(status);
  }

  /** Returns the length that the engine has added to the head; -1 for none. */
  long addedLength() {
    return added;
  }

  /** Notes that the step which holds the request is no longer waited for, though it may go on. */
  void giveUp() {
    givenUp = true;
  }

  /** Tells whether a step may still run that is no longer waited for. */
  boolean givenUp() {
    return givenUp;
  }

  /** Takes the right to answer, or throws because somebody else has it. */
  void claim() {
    if (!tryClaim()) {
      throw secondAnswer();
    }
  }

  boolean tryClaim() {
    synchronized (this) {
      if (state != null) {
        return false;
      }
      state = Thread.currentThread();
    }
    watched.answered();
    if (faults.development()) {
      claimed = new Throwable("the first answer");
    }
    return true;
  }

  /** Lets the calling thread use the right taken for an answer given outside of the chain. */
  void claimHere() {
    state = Thread.currentThread();
    foreign = true;
    watched.answered();
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
    watched.watchAgain();
  }

  /** Notes that nobody is there to be answered. */
  void abandon() {
    watched.answered();
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
      filtered = new FilteredExchange(exchange, new Emitting());
    }
    filtered.add(filter);
  }

  /**
   * Starts the claimed answer. The engine gets the head with the first bytes: until then a wrong
   * length of a whole body is corrected, and an answer in pieces that fails is replaced.
   *
   * @param headers its headers, which do not change any more
   * @param body whether it has one; if not, what is written of it is dropped
   * @param whole whether its end follows at once. It stays claimed until then, so that no other
   *     thread put its bytes between head and body
   * @param first how many bytes are written at once, if its end does not follow
   * @throws IllegalStateException if these are more than announced; nothing is started then
   */
  void start(int status, Headers headers, boolean body, boolean whole, int first) {
    long length = ContentLength.announced(headers);
    FilteredExchange filters = filtered;
    if (filters != null) {
      filters.framed(length >= 0);
    } else if (body && length >= 0 && first > length) {
      throw tooLong(length);
    }
    this.body = body;
    announced = body ? length : -1;
    this.status = status;
    head = headers;
    if (!whole) {
      headers.freeze();
      pieces = new ReentrantLock();
      state = STARTED;
    }
  }

  /**
   * Hands the connection over, by the claimed answer; its filters see an answer without a body.
   *
   * @param headers its headers, which do not change any more
   * @param taken is called on the turn when the connection can be used
   */
  void upgrade(Headers headers, Runnable taken) {
    status = 101;
    state = ENDED;
    exchange.upgrade(headers, taken);
    headers.freeze();
  }

  /** Calls the filters of an answer that will have no body; if one fails, another can be given. */
  void endFilters() {
    FilteredExchange filters = filtered;
    if (filters != null) {
      filters.endUnsent();
    }
  }

  /** Notes that the engine has given the whole answer itself. */
  void alreadyEnded() {
    foreign = true;
    state = ENDED;
    watched.answered();
  }

  /**
   * Takes an answer in pieces back of which nothing has gone out; it counts as ended then.
   *
   * @return its headers; null if something has gone out, or it has not been started or has ended
   */
  @Nullable Headers takeUnsent() {
    ReentrantLock lock = state == STARTED ? pieces : null;
    if (lock == null) {
      return null;
    }
    lock.lock();
    try {
      Headers unsent = state == STARTED ? head : null;
      if (unsent != null) {
        head = null;
        state = ENDED;
      }
      return unsent;
    } finally {
      lock.unlock();
    }
  }

  /** Sends a head without a body instead of an answer that was {@linkplain #takeUnsent taken}. */
  void endInstead(int status, Headers headers) {
    this.status = status;
    exchange.start(status, headers.freeze());
    exchange.end(NOTHING);
  }

  /**
   * Closes the connection if the answer is half sent, so that no client takes it for a whole one.
   */
  void cut() {
    if (state == STARTED) {
      exchange.abort();
    }
  }

  void end(ByteBuffer last) {
    if (!STATE.compareAndSet(this, (Object) Thread.currentThread(), ENDED)) {
      endPieces();
    }
    if (!body) {
      endBodyless();
    } else if (filtered == null) {
      emitLast(last);
    } else {
      filtered.end(last);
    }
  }

  void send(FileContent file, FileRange part) {
    state = ENDED;
    if (filtered == null) {
      boolean wrong = announced >= 0 && part.length() != announced;
      boolean ignored = wrong && corrects(part.length());
      sendHead();
      file.send(exchange, part);
    } else {
      file.send(filtered, part);
    }
  }

  /** Sends the head alone. */
  void flush() {
    if (body) {
      ReentrantLock lock = pieces();
      lock.lock();
      try {
        checkOpenToWrite();
        pass(NOTHING, 0, null);
      } finally {
        lock.unlock();
      }
    }
  }

  /** Sends what filters hold back. */
  void flushFiltered() throws IOException {
    FilteredExchange filters = filtered;
    if (body && filters != null) {
      ReentrantLock lock = pieces();
      lock.lock();
      try {
        checkOpenToWrite();
        filters.flush(failure -> written(0, failure));
      } finally {
        lock.unlock();
      }
      failIfBroken();
    }
  }

  /** Writes, and waits while the client is slow; where waiting is not allowed, up to a limit. */
  void write(ByteBuffer bytes) throws IOException {
    boolean mayWait = exchange.mayBlock();
    ReentrantLock lock = pieces();
    lock.lock();
    try {
      checkOpenToWrite();
      if (!body) {
        return;
      }
      failIfBroken();
      checkRoom(bytes.remaining(), mayWait);
      pass(bytes, bytes.remaining(), null);
    } finally {
      lock.unlock();
    }
    if (mayWait && unwritten > HIGH_WATER) {
      awaitDrained();
    }
    failIfBroken();
  }

  /** Writes without waiting; the callback is called, without the lock, once that is over. */
  void offer(ByteBuffer bytes, Exchange.OnWritten callback) throws IOException {
    ReentrantLock lock = pieces();
    DeferredNotice notice = new DeferredNotice(lock, failure -> tell(callback, failure));
    lock.lock();
    try {
      checkOpenToWrite();
      failIfBroken();
      checkRoom(bytes.remaining(), true);
      pass(bytes, bytes.remaining(), notice);
    } finally {
      lock.unlock();
    }
    notice.release();
  }

  /** Calls back; if that fails, cuts off the response, which would not be completed. */
  private void tell(Exchange.OnWritten callback, @Nullable Throwable failure) {
    try {
      callback.written(failure);
    } catch (Throwable thrown) {
      Callbacks.failed("a callback of offer", thrown);
      cut();
    }
  }

  /** Refuses a piece that is too long for what was announced, or for a client that is slow. */
  private void checkRoom(int size, boolean mayWait) throws IOException {
    if (filtered == null && announced >= 0 && sent + size > announced) {
      throw tooLong(announced);
    }
    long ahead = unwritten;
    if (!mayWait && ahead > 0 && ahead + size > LOOP_LIMIT) {
      throw new IOException(
          "the client reads too slowly: " + ahead + " bytes wait, and no step may wait");
    }
  }

  private void pass(ByteBuffer bytes, int size, Exchange.@Nullable OnWritten further) {
    Exchange.OnWritten callback =
        failure -> {
          written(size, failure);
          if (further != null) {
            further.written(failure);
          }
        };
    if (filtered == null) {
      emit(bytes, callback);
    } else {
      filtered.write(bytes, callback);
    }
    UNWRITTEN.getAndAdd(this, (long) size); // the callback may have taken it off before
  }

  /** Hands a piece to the engine: the one place where all of a body comes by. */
  private void emit(ByteBuffer bytes, Exchange.OnWritten callback) {
    pieced = true;
    sent += bytes.remaining();
    if (announced >= 0 && sent > announced) {
      throw otherLength(sent);
    }
    sendHead();
    exchange.write(bytes, callback);
  }

  /** Hands the last piece to the engine, as {@link #emit} does the others. */
  private void emitLast(ByteBuffer last) {
    sent += last.remaining();
    if (announced >= 0 && sent != announced && !corrects(sent)) {
      throw otherLength(sent);
    }
    sendHead();
    added = announced < 0 && !pieced ? sent : -1;
    exchange.end(last);
  }

  /** Corrects the length of a whole body; returns false if the head has gone out. */
  private boolean corrects(long length) {
    Headers unsent = pieces == null ? head : null;
    if (unsent != null) {
      unsent.setUnchecked("Content-Length", Long.toString(length));
    }
    return unsent != null;
  }

  /** Hands the head to the engine, unless that has been done. */
  private void sendHead() {
    Headers unsent = head;
    if (unsent != null) {
      head = null;
      exchange.start(status, unsent.freeze());
    }
  }

  private static IllegalStateException tooLong(long length) {
    return new IllegalStateException("more bytes than Content-Length " + length);
  }

  /**
   * Closes the connection, so that the client does not take the next answer for a part of this one.
   */
  private IllegalStateException otherLength(long length) {
    exchange.abort();
    return new IllegalStateException(
        "the body has " + length + " bytes, Content-Length " + announced);
  }

  /** Ends an answer in pieces: behind those under way, before any that are still to come. */
  private void endPieces() {
    ReentrantLock lock = pieces();
    lock.lock();
    try {
      checkOpenToWrite();
      state = ENDED;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the lock of a started answer, inside of which {@link #checkOpenToWrite} counts. */
  private ReentrantLock pieces() {
    ReentrantLock lock = state == STARTED ? pieces : null;
    if (lock == null) {
      throw secondAnswer();
    }
    return lock;
  }

  /** Throws unless the answer has been started in pieces, and not been ended. */
  private void checkOpenToWrite() {
    if (state != STARTED) {
      throw secondAnswer();
    }
  }

  private void endBodyless() {
    sendHead();
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
    long left = (long) UNWRITTEN.getAndAdd(this, (long) -size) - size;
    if (waiting != null && (left <= HIGH_WATER / 2 || failure != null)) {
      WaitingWriter all = (WaitingWriter) WAITING.getAndSet(this, null);
      WaitingWriter.wake(all);
    }
  }

  /** Waits until the client has taken most once, though others may have written more since. */
  private void awaitDrained() {
    WaitingWriter mine = enlist();
    if (unwritten > HIGH_WATER / 2 && broken == null) {
      exchange.await(mine::isOver);
    }
  }

  /** Puts the calling thread down to be woken. */
  private WaitingWriter enlist() {
    while (true) {
      WaitingWriter before = waiting;
      WaitingWriter mine = new WaitingWriter(before);
      if (WAITING.compareAndSet(this, before, mine)) {
        return mine;
      }
    }
  }

  private void failIfBroken() throws IOException {
    Throwable failure = broken;
    if (failure != null) {
      throw new ClientGone(failure);
    }
  }

  private IllegalStateException secondAnswer() {
    faults.secondAnswer();
    Throwable first = claimed;
    if (first == null) {
      return new AnsweredBefore("answered before", null);
    }
    return new AnsweredBefore(
        "answered before, " + CallSite.of(first) + "; now again " + CallSite.of(new Throwable()),
        first);
  }

  /** Takes what filters make of the body. */
  private final class Emitting implements FilteredExchange.Outlet {

    @Override
    public void write(ByteBuffer bytes, Exchange.OnWritten callback) {
      emit(bytes, callback);
    }

    @Override
    public void end(ByteBuffer last) {
      emitLast(last);
    }
  }
}

package dev.percolate.core;

import dev.percolate.engine.Callbacks;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.StateField;
import dev.percolate.http.ContentLength;
import dev.percolate.http.Headers;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
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

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

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

  /** The headers of a started answer until the engine gets them, with the first bytes. */
  private @Nullable Headers head;

  /** Null unless the answer was started in pieces. */
  private @Nullable ResponsePieces pieces;

  private long announced = -1;
  private long sent;
  private boolean pieced; // the head went out before the last piece
  private long added = -1;

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
      pieces = new ResponsePieces(exchange);
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
    ResponsePieces mine = state == STARTED ? pieces : null;
    if (mine == null) {
      return null;
    }
    mine.lock();
    try {
      Headers unsent = state == STARTED ? head : null;
      if (unsent != null) {
        head = null;
        state = ENDED;
      }
      return unsent;
    } finally {
      mine.unlock();
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
      ResponsePieces mine = lockPieces();
      try {
        pass(mine, NOTHING, 0, null);
      } finally {
        mine.unlock();
      }
    }
  }

  /** Sends what filters hold back. */
  void flushFiltered() throws IOException {
    FilteredExchange filters = filtered;
    if (body && filters != null) {
      ResponsePieces mine = lockPieces();
      try {
        filters.flush(failure -> mine.written(0, failure));
      } finally {
        mine.unlock();
      }
      mine.failIfBroken();
    }
  }

  /** Writes, and waits while the client is slow; where waiting is not allowed, up to a limit. */
  void write(ByteBuffer bytes) throws IOException {
    boolean mayWait = exchange.mayBlock();
    ResponsePieces mine = lockPieces();
    try {
      if (!body) {
        return;
      }
      mine.failIfBroken();
      checkLength(bytes.remaining());
      if (!mayWait) {
        mine.checkRoom(bytes.remaining());
      }
      pass(mine, bytes, bytes.remaining(), null);
    } finally {
      mine.unlock();
    }
    if (mayWait) {
      mine.awaitDrained();
    }
    mine.failIfBroken();
  }

  /** Writes without waiting; the callback is called, without the lock, once that is over. */
  void offer(ByteBuffer bytes, Exchange.OnWritten callback) throws IOException {
    DeferredNotice notice = pieces().notice(failure -> tell(callback, failure));
    ResponsePieces mine = lockPieces();
    try {
      mine.failIfBroken();
      checkLength(bytes.remaining());
      pass(mine, bytes, bytes.remaining(), notice);
    } finally {
      mine.unlock();
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

  /** Refuses a piece that is longer than what is left of the announced length. */
  private void checkLength(int size) {
    if (filtered == null && announced >= 0 && sent + size > announced) {
      throw tooLong(announced);
    }
  }

  private void pass(
      ResponsePieces mine, ByteBuffer bytes, int size, Exchange.@Nullable OnWritten further) {
    Exchange.OnWritten callback =
        failure -> {
          mine.written(size, failure);
          if (further != null) {
            further.written(failure);
          }
        };
    if (filtered == null) {
      emit(bytes, callback);
    } else {
      filtered.write(bytes, callback);
    }
    mine.handedOver(size);
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
    ResponsePieces mine = lockPieces();
    state = ENDED;
    mine.unlock();
  }

  /** Returns the pieces of an answer that has been started in pieces, and has not ended. */
  private ResponsePieces pieces() {
    ResponsePieces mine = state == STARTED ? pieces : null;
    if (mine == null) {
      throw secondAnswer();
    }
    return mine;
  }

  /** Returns them after locking them, so that the answer does not end before they are unlocked. */
  private ResponsePieces lockPieces() {
    ResponsePieces mine = pieces();
    mine.lock();
    if (state != STARTED) {
      mine.unlock();
      throw secondAnswer();
    }
    return mine;
  }

  private void endBodyless() {
    sendHead();
    if (filtered == null) {
      exchange.end(NOTHING);
    } else {
      filtered.endBodyless();
    }
  }

  private IllegalStateException secondAnswer() {
    faults.secondAnswer();
    return AnsweredBefore.since(claimed);
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

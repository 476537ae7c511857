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
 * The state of the response of one exchange. Allows one response only, and sends its bytes with
 * backpressure.
 *
 * <pre>
 *   open --claim (the first thread wins)--> claimed --start--> STARTED --end--> ENDED
 *     ^                                       | |                                ^
 *     |                                       | +----- start and end at once ----+
 *     +----- release: creating it failed -----+
 * </pre>
 *
 * <p>The monitor guards the status, headers and hooks of the response. They change inside it, and a
 * claim acquires it, so that after the claim only the claiming thread changes them. Several threads
 * may write chunks of a started response; a lock serializes them.
 */
final class ResponseCommit {

  private static final Object STARTED = "started";
  private static final Object ENDED = "ended";
  private static final VarHandle STATE = StateField.of(MethodHandles.lookup(), Object.class);

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

  private final Exchange exchange;
  private @Nullable FilteredExchange filtered;
  private final AppState appState;
  private final ResponseTimeout responseTimeout;

  /** Null while open, then the claiming thread, {@link #STARTED}, {@link #ENDED}. */
  private volatile @Nullable Object state;

  private boolean body = true;
  private int status;
  private boolean foreign; // sent outside of the chain
  private volatile boolean givenUp;
  private volatile @Nullable Throwable claimed;

  /** The headers of a started response until the engine gets them, with the first bytes. */
  private @Nullable Headers head;

  /** Null unless the response was started in chunks. */
  private @Nullable ResponseChunks pieces;

  private long announced = -1;
  private long sent;
  private boolean pieced; // the head was sent before the last chunk
  private long added = -1;

  ResponseCommit(Exchange exchange, AppState appState, ResponseTimeout responseTimeout) {
    this.exchange = exchange;
    this.appState = appState;
    this.responseTimeout = responseTimeout;
  }

  /** Returns true if the head has been sent, or another thread is about to send it. */
  boolean started() {
    Object now = state;
    return now != null && now != Thread.currentThread();
  }

  /** Returns true if another thread is about to respond. */
  boolean claimedElsewhere() {
    return state instanceof Thread claimant && claimant != Thread.currentThread();
  }

  /** Returns true if a thread has responded, or is about to. */
  boolean taken() {
    return state != null;
  }

  boolean ended() {
    return state == ENDED;
  }

  /** Returns the status code sent; 0 if none; {@code current} if sent outside of the chain. */
  int sentStatus(int current) {
    if (head != null || !started()) {
      return 0;
    }
    return foreign ? current : exchange.sentStatus(status);
  }

  /** Returns the length that the engine has added to the head; -1 if none. */
  long addedLength() {
    return added;
  }

  /** Records that the current handler was given up. It may still run. */
  void giveUp() {
    givenUp = true;
  }

  /** Returns true if a handler that was given up may still run. */
  boolean givenUp() {
    return givenUp;
  }

  /** Claims the response for this thread. Throws if it is claimed or started. */
  void claim() {
    if (!tryClaim()) {
      throw secondResponse();
    }
  }

  boolean tryClaim() {
    synchronized (this) {
      if (state != null) {
        return false;
      }
      state = Thread.currentThread();
    }
    responseTimeout.answered();
    if (appState.settings().isDevelopment()) {
      claimed = new Throwable("the first response");
    }
    return true;
  }

  /** Lets this thread use the claim of a response that is sent outside of the chain. */
  void claimHere() {
    state = Thread.currentThread();
    foreign = true;
    responseTimeout.answered();
  }

  /** Releases the claim because the response could not be created. Closes its filters. */
  void release() {
    FilteredExchange dropped = filtered;
    filtered = null;
    if (dropped != null) {
      dropped.closeFilters();
    }
    claimed = null;
    state = null;
    responseTimeout.watchAgain();
  }

  /** Returns true unless the response is sent outside of the chain. */
  boolean filterable() {
    return !foreign;
  }

  /** Adds a filter before the connection, while the claimed response is being created. */
  void filter(BodyFilter filter) {
    if (foreign) {
      throw new IllegalStateException("filter(…): not allowed outside of the chain");
    }
    if (state != Thread.currentThread()) {
      throw new IllegalStateException("filter(…): must be called by a hook of onHeaders");
    }
    if (filtered == null) {
      filtered = new FilteredExchange(exchange, this::emit, this::emitLast);
    }
    filtered.add(filter);
  }

  /**
   * Starts the claimed response. The engine gets the head with the first bytes. Until then, the
   * wrong length of a whole body is corrected, and a response in chunks that fails is replaced.
   *
   * @param headers the headers, which no longer change
   * @param body whether it has a body; if not, written bytes are dropped
   * @param whole whether its end follows immediately. It remains claimed until then, so that other
   *     threads cannot write between its head and body
   * @param first the number of bytes written next, if its end does not follow
   * @throws IllegalStateException if these exceed the announced length; then nothing is started
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
      pieces = new ResponseChunks(exchange);
      state = STARTED;
    }
  }

  /**
   * Upgrades the connection. The response must be claimed; its filters see a response without a
   * body.
   *
   * @param headers the headers, which no longer change
   * @param taken called on the serial executor when the connection can be used
   */
  void upgrade(Headers headers, Runnable taken) {
    status = 101;
    state = ENDED;
    exchange.upgrade(headers, taken);
    headers.freeze();
  }

  /** Calls the filters of a response without a body. If one fails, another response can be sent. */
  void endFilters() {
    FilteredExchange filters = filtered;
    if (filters != null) {
      filters.endUnsent();
    }
  }

  /** Records that the engine has sent the whole response itself. */
  void alreadyEnded() {
    foreign = true;
    state = ENDED;
    responseTimeout.answered();
  }

  /**
   * Takes back a response in chunks if nothing of it has been sent. Its state becomes {@link
   * #ENDED}.
   *
   * @return its headers; null if something has been sent, or it has not started, or it has ended
   */
  @Nullable Headers takeUnsent() {
    ResponseChunks mine = state == STARTED ? pieces : null;
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

  /**
   * Sends a head without a body instead of a response that was {@linkplain #takeUnsent taken back}.
   */
  void endInstead(int status, Headers headers) {
    this.status = status;
    exchange.start(status, headers.freeze());
    exchange.end(NOTHING);
  }

  /** Closes the connection of an incomplete response, so that clients notice. */
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

  void send(FileContent file, FileContent.FileRange part) {
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
    ResponseChunks mine = lockPieces();
    try {
      if (body) {
        pass(mine, NOTHING, 0, null);
      } else if (head != null) {
        emit(NOTHING, failure -> mine.written(0, failure)); // filters get no chunk of it
      }
    } finally {
      mine.unlock();
    }
  }

  /** Sends the bytes that filters hold back; for a response without a body, its head. */
  void flushFiltered() throws IOException {
    FilteredExchange filters = filtered;
    if (!body && head != null) {
      flush();
    } else if (body && filters != null) {
      ResponseChunks mine = lockPieces();
      try {
        filters.flush(failure -> mine.written(0, failure));
      } finally {
        mine.unlock();
      }
      mine.gate().failIfBroken();
    }
  }

  /** Writes bytes. Waits for slow clients, or buffers up to a limit if it must not block. */
  void write(ByteBuffer bytes) throws IOException {
    boolean mayWait = exchange.mayBlock();
    ResponseChunks mine = lockPieces();
    try {
      if (!body) {
        return;
      }
      mine.gate().failIfBroken();
      checkLength(bytes.remaining());
      if (!mayWait) {
        mine.checkRoom(bytes.remaining());
      }
      pass(mine, bytes, bytes.remaining(), null);
    } finally {
      mine.unlock();
    }
    if (mayWait) {
      mine.gate().await();
    }
    mine.gate().failIfBroken();
  }

  /** Writes bytes without waiting. Afterwards, the callback is called without the lock. */
  void offer(ByteBuffer bytes, Exchange.OnWritten callback) throws IOException {
    ResponseChunks.DeferredCallback notice = pieces().notice(failure -> tell(callback, failure));
    ResponseChunks mine = lockPieces();
    try {
      mine.gate().failIfBroken();
      ByteBuffer piece = body ? bytes : NOTHING;
      checkLength(piece.remaining());
      pass(mine, piece, piece.remaining(), notice);
    } finally {
      mine.unlock();
    }
    notice.release();
  }

  /** Calls the callback. If it fails, cuts off the response, which would not be completed. */
  private void tell(Exchange.OnWritten callback, @Nullable Throwable failure) {
    try {
      callback.written(failure);
    } catch (Throwable thrown) {
      Callbacks.failed("a callback of offer", thrown);
      cut();
    }
  }

  /** Rejects a chunk that exceeds the rest of the announced length. */
  private void checkLength(int size) {
    if (filtered == null && announced >= 0 && sent + size > announced) {
      throw tooLong(announced);
    }
  }

  private void pass(
      ResponseChunks mine, ByteBuffer bytes, int size, Exchange.@Nullable OnWritten further) {
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
    mine.gate().passed(size);
  }

  /** Passes a chunk to the engine. All bytes of a body pass through this or {@link #emitLast}. */
  private void emit(ByteBuffer bytes, Exchange.OnWritten callback) {
    pieced = true;
    sent += bytes.remaining();
    if (announced >= 0 && sent > announced) {
      throw otherLength(sent);
    }
    sendHead();
    exchange.write(bytes, callback);
  }

  /** Passes the last chunk to the engine. */
  private void emitLast(ByteBuffer last) {
    sent += last.remaining();
    if (announced >= 0 && sent != announced && !corrects(sent)) {
      throw otherLength(sent);
    }
    sendHead();
    added = announced < 0 && !pieced ? sent : -1;
    exchange.end(last);
  }

  /** Corrects the length of a whole body; returns false if the head has been sent. */
  private boolean corrects(long length) {
    Headers unsent = pieces == null ? head : null;
    if (unsent != null) {
      unsent.setUnchecked("Content-Length", Long.toString(length));
    }
    return unsent != null;
  }

  /** Passes the head to the engine if this has not been done. */
  private void sendHead() {
    Headers unsent = head;
    if (unsent != null) {
      head = null;
      exchange.start(status, unsent.freeze());
    }
  }

  private static IllegalStateException tooLong(long length) {
    return new IllegalStateException("the body is longer than Content-Length " + length);
  }

  /** Closes the connection, whose next response would be read as a part of this one. */
  private IllegalStateException otherLength(long length) {
    exchange.abort();
    return new IllegalStateException(
        "the body has " + length + " bytes, but Content-Length is " + announced);
  }

  /** Ends a response in chunks: after the current writes, before any later ones. */
  private void endPieces() {
    ResponseChunks mine = lockPieces();
    state = ENDED;
    mine.unlock();
  }

  /** Returns the chunks of a response that was started in chunks and has not ended. */
  private ResponseChunks pieces() {
    ResponseChunks mine = state == STARTED ? pieces : null;
    if (mine == null) {
      throw secondResponse();
    }
    return mine;
  }

  /** Locks and returns the chunks. The response cannot end before they are unlocked. */
  private ResponseChunks lockPieces() {
    ResponseChunks mine = pieces();
    mine.lock();
    if (state != STARTED) {
      mine.unlock();
      throw secondResponse();
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

  private IllegalStateException secondResponse() {
    appState.counters().duplicateResponses.increment();
    return DuplicateResponseException.since(claimed);
  }
}

package dev.percolate.testkit;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.ClientGone;
import dev.percolate.engine.Service;
import dev.percolate.engine.Turn;
import dev.percolate.http.Headers;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * One request in memory, for tests that need no engine: all of it runs on the thread of the test,
 * unless it is {@link #asynchronous}. It lets pass any method, target and header, and does not
 * check the answer; {@link Lint} does.
 *
 * <pre>
 *   PlainExchange exchange = PlainExchange.of("POST", "/").length(3).piece(one).piece(two);
 *   Reply reply = exchange.play(service).reply();
 * </pre>
 *
 * <p>The methods that describe the request change it and return it.
 */
public final class PlainExchange extends LocalExchange {

  private final Headers headers = new Headers();
  private final Queue<byte[]> pieces = new ArrayDeque<>();
  private final IncomingReply answer;

  /** One of its own, since not each exchange of a test comes to its end. */
  private BodyMemory memory = BodyMemory.of("64mb");

  private boolean asynchronous;
  private String httpVersion = "1.1";
  private String remoteAddress = LOOPBACK;
  private boolean hasPieces;
  private @Nullable Throwable bodyFailure;
  private int reads;

  /** Whether the client got a part of the response. */
  private volatile boolean sent;

  private PlainExchange(String method, String target) {
    super(method, target, new Turn(Runnable::run, true));
    this.answer = new IncomingReply(method + " " + target, () -> turn().toString());
  }

  /**
   * Creates an exchange without headers and body.
   *
   * @param method the request's method
   * @param target its target
   * @return the exchange
   */
  public static PlainExchange of(String method, String target) {
    return new PlainExchange(method, target);
  }

  /**
   * Adds a header line; neither name nor value is checked.
   *
   * @param name its name
   * @param value its value
   * @return this exchange
   */
  public PlainExchange header(String name, String value) {
    headers.addReceived(name, value);
    return this;
  }

  /**
   * Adds the header Content-Length.
   *
   * @param length the length, which the pieces need not have
   * @return this exchange
   */
  public PlainExchange length(long length) {
    return header("Content-Length", Long.toString(length));
  }

  /**
   * Replaces the header Content-Length by Transfer-Encoding.
   *
   * @return this exchange
   */
  public PlainExchange chunked() {
    headers.remove("Content-Length");
    return header("Transfer-Encoding", "chunked");
  }

  /**
   * Adds a piece to the body. As in HTTP/1.1 a body needs a header to be announced, by {@link
   * #length} or {@link #chunked}; that of HTTP/2 does not.
   *
   * @param bytes the piece; an empty one is left out, as an engine does
   * @return this exchange
   */
  public PlainExchange piece(byte[] bytes) {
    if (bytes.length > 0) {
      pieces.add(bytes.clone());
      hasPieces = true;
    }
    return this;
  }

  /**
   * Cuts the body given so far to pieces of one size.
   *
   * @param size how many bytes each has, but for the last
   * @return this exchange
   */
  public PlainExchange cut(int size) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    pieces.forEach(all::writeBytes);
    pieces.clear();
    ByteBuffer rest = ByteBuffer.wrap(all.toByteArray());
    while (rest.hasRemaining()) {
      byte[] piece = new byte[Math.min(size, rest.remaining())];
      rest.get(piece);
      pieces.add(piece);
    }
    return this;
  }

  /**
   * Ends the body by a failure.
   *
   * @param error what is read behind the last piece, such as {@link ClientGone}
   * @return this exchange
   */
  public PlainExchange failing(Throwable error) {
    bodyFailure = error;
    return this;
  }

  /**
   * Sets the version of HTTP, by default 1.1.
   *
   * @param version the version
   * @return this exchange
   */
  public PlainExchange httpVersion(String version) {
    httpVersion = version;
    return this;
  }

  /**
   * Sets the client's address, by default 127.0.0.1.
   *
   * @param address the address
   * @return this exchange
   */
  public PlainExchange remoteAddress(String address) {
    remoteAddress = address;
    return this;
  }

  /**
   * Sets the memory in which the body finds room, by default 64 MiB for this exchange alone.
   *
   * @param budget the memory
   * @return this exchange
   */
  public PlainExchange memory(BodyMemory budget) {
    memory = budget;
    return this;
  }

  /**
   * Delivers each piece of the body from a thread of its own, to steps that must not wait.
   *
   * @return this exchange
   */
  public PlainExchange asynchronous() {
    asynchronous = true;
    turn(new Turn(task -> new Thread(task, "turn").start(), false));
    return this;
  }

  /**
   * Serves the exchange; a synchronous one returns when no step can go on.
   *
   * @param service serves it
   * @return this exchange
   */
  public PlainExchange play(Service service) {
    turn().execute(() -> service.serve(this));
    return this;
  }

  /** Closes the connection on the client's side; its address is no longer known. */
  public void hangUp() {
    remoteAddress = "";
    end(new ClientGone(null));
  }

  /**
   * Waits for the end of the answer, complete or not, and returns it.
   *
   * @return the answer
   * @throws AssertionError after 10 s without an end
   */
  public Reply reply() {
    return answer.whole();
  }

  /**
   * Returns what there is of the answer.
   *
   * @return the answer so far; its status is 0 before its start
   */
  public Reply replySoFar() {
    return answer.soFar();
  }

  /**
   * Tells whether the exchange is over: answered, aborted or hung up.
   *
   * @return whether it is
   */
  public boolean over() {
    return isFinished();
  }

  /**
   * Returns how often the body was read.
   *
   * @return how often
   */
  public int reads() {
    return reads;
  }

  @Override
  public String httpVersion() {
    return httpVersion;
  }

  @Override
  public Headers headers() {
    return headers.copy();
  }

  @Override
  public String remoteAddress() {
    return remoteAddress;
  }

  @Override
  public boolean mayBlock() {
    return !asynchronous;
  }

  @Override
  public BodyMemory.Room room() {
    return memory.share(remoteAddress).room();
  }

  @Override
  public boolean hasBody() {
    return (hasPieces && httpVersion.equals("2.0"))
        || headers.contains("Content-Length")
        || headers.contains("Transfer-Encoding");
  }

  @Override
  public void read(OnRead callback) {
    reads++;
    byte[] piece = pieces.poll();
    Throwable gone = piece == null && bodyFailure == null ? failure() : bodyFailure;
    Runnable delivery =
        piece == null
            ? () -> callback.read(null, gone)
            : () -> callback.read(ByteBuffer.wrap(piece), null);
    if (asynchronous) {
      new Thread(delivery, "delivery").start();
    } else {
      delivery.run();
    }
  }

  @Override
  public void start(int status, Headers headers) {
    answer.start(status, headers.copy());
  }

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    Throwable gone = failure();
    if (gone == null) {
      sent = true;
      answer.add(bytes);
    }
    callback.written(gone);
  }

  @Override
  public void end(ByteBuffer last) {
    if (failure() == null) {
      sent = true;
      answer.add(last);
    }
    end((Throwable) null);
  }

  @Override
  public void sendFile(FileChannel file, long offset, long length) {
    try (FileChannel channel = file) {
      ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(length));
      while (bytes.hasRemaining()) {
        if (channel.read(bytes, offset + bytes.position()) < 0) {
          throw new EOFException("the file ends before " + (offset + length));
        }
      }
      end(bytes.flip());
    } catch (IOException e) {
      end(e);
    }
  }

  @Override
  public boolean upgradable() {
    return false;
  }

  @Override
  public void upgrade(Headers headers, Runnable taken) {
    throw new IllegalStateException("there is no connection to hand over");
  }

  @Override
  public void abort() {
    end(new IOException("aborted by the server"));
  }

  @Override
  public int sentStatus(int started) {
    return isFinished() && !sent ? 0 : started;
  }

  private void end(@Nullable Throwable reason) {
    if (finish(reason)) {
      answer.end(reason == null);
    }
  }
}

package dev.percolate.testkit;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.SerialExecutor;
import dev.percolate.engine.Service;
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
 * One request in memory, for tests without an engine. Everything runs on the calling thread, unless
 * the exchange is {@link #asynchronous}. Methods, targets and headers are not validated, nor is the
 * response; use {@link Lint} to check it.
 *
 * <pre>
 *   TestExchange exchange = TestExchange.of("POST", "/").length(3).chunk(one).chunk(two);
 *   Reply reply = exchange.serve(service).reply();
 * </pre>
 *
 * <p>Methods that describe the request change this exchange and return it.
 */
public final class TestExchange extends LocalExchange {

  private final Headers headers = new Headers();
  private final Queue<byte[]> pieces = new ArrayDeque<>();
  private final IncomingReply response;

  /** Separate, because some exchanges of a test do not end and keep their memory. */
  private BodyMemory memory = BodyMemory.of("64mb");

  private boolean asynchronous;
  private String httpVersion = "1.1";
  private String remoteAddress = LOOPBACK;
  private boolean hasPieces;
  private @Nullable Throwable bodyFailure;
  private int reads;

  /** Whether a part of the response was sent to the client. */
  private volatile boolean sent;

  private TestExchange(String method, String target) {
    super(method, target, new SerialExecutor(Runnable::run, true));
    this.response = new IncomingReply(method + " " + target, () -> executor().toString());
  }

  /**
   * Creates an exchange without headers and body.
   *
   * @param method the method of the request
   * @param target the request target
   * @return the exchange
   */
  public static TestExchange of(String method, String target) {
    return new TestExchange(method, target);
  }

  /**
   * Adds a header. Neither the name nor the value is validated.
   *
   * @param name the name
   * @param value the value
   * @return this exchange
   */
  public TestExchange header(String name, String value) {
    headers.addReceived(name, value);
    return this;
  }

  /**
   * Adds the header {@code Content-Length}.
   *
   * @param length the length, which may differ from that of the body
   * @return this exchange
   */
  public TestExchange length(long length) {
    return header("Content-Length", Long.toString(length));
  }

  /**
   * Replaces the header {@code Content-Length} with {@code Transfer-Encoding: chunked}.
   *
   * @return this exchange
   */
  public TestExchange chunked() {
    headers.remove("Content-Length");
    return header("Transfer-Encoding", "chunked");
  }

  /**
   * Adds a chunk to the body. In HTTP/1.1 a body needs a header, set by {@link #length} or {@link
   * #chunked}; in HTTP/2 it does not.
   *
   * @param bytes the chunk; ignored if it is empty
   * @return this exchange
   */
  public TestExchange chunk(byte[] bytes) {
    if (bytes.length > 0) {
      pieces.add(bytes.clone());
      hasPieces = true;
    }
    return this;
  }

  /**
   * Splits the body into chunks of the same size.
   *
   * @param size the size of each chunk but the last, in bytes
   * @return this exchange
   */
  public TestExchange chunkSize(int size) {
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
   * Ends the body with an error.
   *
   * @param error the error that is read after the last chunk, such as {@link
   *     ClientDisconnectedException}
   * @return this exchange
   */
  public TestExchange failing(Throwable error) {
    bodyFailure = error;
    return this;
  }

  /**
   * Sets the HTTP version. Default: 1.1.
   *
   * @param version the version
   * @return this exchange
   */
  public TestExchange httpVersion(String version) {
    httpVersion = version;
    return this;
  }

  /**
   * Sets the address of the client. Default: 127.0.0.1.
   *
   * @param address the address
   * @return this exchange
   */
  public TestExchange remoteAddress(String address) {
    remoteAddress = address;
    return this;
  }

  /**
   * Sets the memory for the body. Default: 64 MiB for this exchange.
   *
   * @param budget the memory
   * @return this exchange
   */
  public TestExchange memory(BodyMemory budget) {
    memory = budget;
    return this;
  }

  /**
   * Delivers each chunk of the body on a new thread, to handlers that must not block.
   *
   * @return this exchange
   */
  public TestExchange asynchronous() {
    asynchronous = true;
    executor(new SerialExecutor(task -> new Thread(task, "turn").start(), false));
    return this;
  }

  /**
   * Serves the exchange. Unless it is asynchronous, returns when all handlers have returned.
   *
   * @param service the service
   * @return this exchange
   */
  public TestExchange serve(Service service) {
    executor().execute(() -> service.serve(this));
    return this;
  }

  /** Closes the connection from the client side. The client's address is then unknown. */
  public void disconnect() {
    remoteAddress = "";
    end(new ClientDisconnectedException(null));
  }

  /**
   * Waits for the response to end or to be aborted.
   *
   * @return the response
   * @throws AssertionError if the response does not end within 10 seconds
   */
  public Reply reply() {
    return response.whole();
  }

  /**
   * Returns the response so far.
   *
   * @return the response; its status code is 0 if it has not started
   */
  public Reply replySoFar() {
    return response.soFar();
  }

  /**
   * Returns true if the exchange has ended: the response is complete, or the connection was closed.
   *
   * @return true if it has ended
   */
  public boolean isOver() {
    return isFinished();
  }

  /**
   * Returns the number of reads of the body.
   *
   * @return the number of reads
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
  public BodyMemory.Reservation reservation() {
    return memory.share().reservation();
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
    response.start(status, headers.copy());
  }

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    Throwable gone = failure();
    if (gone == null) {
      sent = true;
      response.add(bytes);
    }
    callback.written(gone);
  }

  @Override
  public void end(ByteBuffer last) {
    if (failure() == null) {
      sent = true;
      response.add(last);
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
  public void abort() {
    end(new IOException("aborted by the server"));
  }

  @Override
  public int sentStatus(int started) {
    return isFinished() && !sent ? 0 : started;
  }

  private void end(@Nullable Throwable reason) {
    if (finish(reason)) {
      response.end(reason == null);
    }
  }
}

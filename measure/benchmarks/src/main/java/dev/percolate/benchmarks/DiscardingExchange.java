package dev.percolate.benchmarks;

import dev.percolate.engine.Exchange;
import dev.percolate.engine.SerialExecutor;
import dev.percolate.http.Headers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * An exchange without a connection: a GET without a body. Discards the response. Unlike {@code
 * TestExchange} of the testkit, it copies, stores and checks nothing, because that would cost as
 * much as the measured work.
 */
public class DiscardingExchange implements Exchange {

  private final SerialExecutor turn;
  private final String target;
  private long written;
  private @Nullable OnEnd onEnd;

  /** Creates an exchange whose handlers run on the calling thread. */
  public DiscardingExchange(String target) {
    this(target, Runnable::run);
  }

  /** Creates an exchange whose handlers run on an executor. */
  public DiscardingExchange(String target, Executor executor) {
    this.turn = new SerialExecutor(executor, true);
    this.target = target;
  }

  /** Returns a number that depends on all output, so that the compiler does not remove the work. */
  public final long written() {
    return written;
  }

  @Override
  public final SerialExecutor executor() {
    return turn;
  }

  @Override
  public String method() {
    return "GET";
  }

  @Override
  public final String target() {
    return target;
  }

  @Override
  public final String httpVersion() {
    return "1.1";
  }

  @Override
  public final boolean secure() {
    return false;
  }

  @Override
  public String remoteAddress() {
    return "127.0.0.1";
  }

  @Override
  public Headers headers() {
    return new Headers().addReceived("Host", "localhost");
  }

  @Override
  public boolean hasBody() {
    return false;
  }

  @Override
  public void read(OnRead callback) {
    callback.read(null, null);
  }

  @Override
  public void start(int status, Headers headers) {
    written += status + headers.size();
  }

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    written += bytes.remaining();
    callback.written(null);
  }

  @Override
  public void end(ByteBuffer last) {
    written += last.remaining();
    if (onEnd != null) {
      onEnd.ended(null);
    }
  }

  @Override
  public final void sendFile(FileChannel file, long offset, long length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void abort() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void onEnd(OnEnd callback) {
    onEnd = callback;
  }
}

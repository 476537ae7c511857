package dev.percolate.logger;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.Service;
import dev.percolate.engine.Turn;
import dev.percolate.http.Headers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** One request in memory, all of it on the thread of the test. */
final class FakeExchange implements Exchange {

  final Turn turn = new Turn(Runnable::run, false);

  /** Of the service; hostile targets come as far as its steps. */
  final Settings settings = new Settings().set(Settings.AMBIGUOUS_TARGETS, "pass");

  String method = "GET";
  String target;
  String version = "1.1";
  String address = "127.0.0.1";
  Headers headers = new Headers();
  int status;
  @Nullable Headers sent;
  private @Nullable OnEnd onEnd;
  private boolean ended;

  FakeExchange(String target, String... headers) {
    this.target = target;
    for (int i = 0; i < headers.length; i += 2) {
      this.headers.addReceived(headers[i], headers[i + 1]);
    }
  }

  FakeExchange method(String method) {
    this.method = method;
    return this;
  }

  /** Has the request go through some steps. */
  FakeExchange through(Middleware... steps) {
    Service service = Chain.service(settings, steps);
    turn.execute(() -> service.serve(this));
    return this;
  }

  /** Has the client go away. */
  void hangUp() {
    address = "";
    finish(new IOException("gone"));
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public String target() {
    return target;
  }

  @Override
  public String httpVersion() {
    return version;
  }

  @Override
  public Headers headers() {
    return headers;
  }

  @Override
  public String remoteAddress() {
    return address;
  }

  @Override
  public boolean secure() {
    return false;
  }

  @Override
  public Turn turn() {
    return turn;
  }

  @Override
  public boolean mayBlock() {
    return true;
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
    this.status = status;
    this.sent = headers;
  }

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    callback.written(null);
  }

  @Override
  public void end(ByteBuffer last) {
    finish(null);
  }

  @Override
  public void sendFile(FileChannel file, long offset, long length) {
    finish(null);
  }

  @Override
  public void abort() {
    finish(new IOException("aborted"));
  }

  @Override
  public void onEnd(OnEnd callback) {
    onEnd = callback;
    if (ended) {
      callback.ended(null);
    }
  }

  private void finish(@Nullable Throwable failure) {
    if (!ended) {
      ended = true;
      if (onEnd != null) {
        onEnd.ended(failure);
      }
    }
  }
}

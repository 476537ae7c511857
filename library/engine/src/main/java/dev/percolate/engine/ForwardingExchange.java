package dev.percolate.engine;

import dev.percolate.http.Headers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Forwards all calls to another exchange. Extend it to override some of them. */
public abstract class ForwardingExchange implements Exchange {

  /** The exchange that receives the calls. */
  protected final Exchange exchange;

  /**
   * Creates an exchange that forwards all calls.
   *
   * @param exchange the exchange that receives the calls
   */
  protected ForwardingExchange(Exchange exchange) {
    this.exchange = exchange;
  }

  @Override
  public String method() {
    return exchange.method();
  }

  @Override
  public String target() {
    return exchange.target();
  }

  @Override
  public String httpVersion() {
    return exchange.httpVersion();
  }

  @Override
  public Headers headers() {
    return exchange.headers();
  }

  @Override
  public String remoteAddress() {
    return exchange.remoteAddress();
  }

  @Override
  public boolean secure() {
    return exchange.secure();
  }

  @Override
  public List<X509Certificate> clientCertificates() {
    return exchange.clientCertificates();
  }

  @Override
  public SerialExecutor executor() {
    return exchange.executor();
  }

  @Override
  public boolean mayBlock() {
    return exchange.mayBlock();
  }

  @Override
  public void await(BooleanSupplier over) {
    exchange.await(over);
  }

  @Override
  public Duration responseTimeout() {
    return exchange.responseTimeout();
  }

  @Override
  public Duration bodyTimeout() {
    return exchange.bodyTimeout();
  }

  @Override
  public BodyMemory.Reservation reservation() {
    return exchange.reservation();
  }

  @Override
  public boolean hasBody() {
    return exchange.hasBody();
  }

  @Override
  public void read(OnRead callback) {
    exchange.read(callback);
  }

  @Override
  public void start(int status, Headers headers) {
    exchange.start(status, headers);
  }

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    exchange.write(bytes, callback);
  }

  @Override
  public void end(ByteBuffer last) {
    exchange.end(last);
  }

  @Override
  public void sendFile(FileChannel file, long offset, long length) {
    exchange.sendFile(file, offset, length);
  }

  @Override
  public boolean upgradable() {
    return exchange.upgradable();
  }

  @Override
  public void upgrade(Headers headers, Runnable taken) {
    exchange.upgrade(headers, taken);
  }

  @Override
  public boolean blocksWriters() {
    return exchange.blocksWriters();
  }

  @Override
  public void abort() {
    exchange.abort();
  }

  @Override
  public int sentStatus(int started) {
    return exchange.sentStatus(started);
  }

  @Override
  public void onEnd(OnEnd callback) {
    exchange.onEnd(callback);
  }
}

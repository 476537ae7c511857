package dev.percolate.vertx;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;

/** Makes HTTPS clients that trust everybody. */
final class TlsClient implements AutoCloseable {

  private final Vertx vertx = Vertx.vertx();

  HttpClientAgent open(HttpVersion version) {
    return vertx.createHttpClient(options(version));
  }

  /**
   * Creates a client of HTTP/2 that takes a number of bytes of a stream, and no more unless it
   * reads.
   */
  HttpClientAgent openWithWindow(int bytes) {
    HttpClientOptions options = options(HttpVersion.HTTP_2);
    options.setInitialSettings(options.getInitialSettings().setInitialWindowSize(bytes));
    return vertx.createHttpClient(options);
  }

  private static HttpClientOptions options(HttpVersion version) {
    return new HttpClientOptions()
        .setSsl(true)
        .setTrustAll(true)
        .setVerifyHost(false)
        .setUseAlpn(true)
        .setProtocolVersion(version);
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}

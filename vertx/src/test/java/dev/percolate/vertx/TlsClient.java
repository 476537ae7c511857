package dev.percolate.vertx;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;

/** Makes HTTPS clients that trust everybody. */
final class TlsClient implements AutoCloseable {

  private final Vertx vertx = Vertx.vertx();

  HttpClientAgent open(HttpVersion version) {
    return vertx.createHttpClient(
        new HttpClientOptions()
            .setSsl(true)
            .setTrustAll(true)
            .setVerifyHost(false)
            .setUseAlpn(true)
            .setProtocolVersion(version));
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}

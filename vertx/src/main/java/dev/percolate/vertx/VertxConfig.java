package dev.percolate.vertx;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Tls;
import dev.percolate.engine.loop.BodyBuffer;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.CompressionConfig;
import io.vertx.core.http.Http1ServerConfig;
import io.vertx.core.http.Http2ServerConfig;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerConfig;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.WebSocketServerConfig;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.KeyStoreOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Sets the engine up: what it offers and is not wanted is switched off. */
final class VertxConfig {

  private VertxConfig() {}

  static VertxOptions vertx() {
    return new VertxOptions()
        .setEventLoopPoolSize(Runtime.getRuntime().availableProcessors())
        .setPreferNativeTransport(false)
        .setDisableTCCL(true)
        .setWorkerPoolSize(1)
        .setInternalBlockingPoolSize(1)
        .setFileSystemOptions(
            new FileSystemOptions()
                .setFileCachingEnabled(false)
                .setClassPathResolvingEnabled(false));
  }

  static HttpServer server(Vertx vertx, ListenOptions options) throws IOException {
    Tls tls = options.tls();
    HttpServerConfig config =
        new HttpServerConfig()
            .setHandle100ContinueAutomatically(false)
            .setStrictThreadMode(true)
            .setIdleTimeout(Duration.ZERO); // it would end running requests: Connection has ours
    config.setHttp1Config(
        new Http1ServerConfig()
            .setMaxInitialLineLength(options.maxTarget())
            .setMaxHeaderSize(options.maxHeaderBytes())
            .setMaxChunkSize(BodyBuffer.MAX_PIECE));
    // Inflating has no bound there; body parsers do it under their limit.
    config.setCompressionConfig(
        new CompressionConfig().setCompressionEnabled(false).setDecompressionEnabled(false));
    config.setWebSocketConfig(
        new WebSocketServerConfig()
            .setUsePerFrameCompression(false)
            .setUsePerMessageCompression(false));
    config.getTcpConfig().setAcceptBacklog(1024);
    config.getTcpConfig().getTransportConfig().setReuseAddress(true);
    if (tls == null) {
      config.setVersions(HttpVersion.HTTP_1_0, HttpVersion.HTTP_1_1);
      return vertx.httpServerBuilder().with(config).build();
    }
    config.setVersions(HttpVersion.HTTP_1_0, HttpVersion.HTTP_1_1, HttpVersion.HTTP_2);
    config.setHttp2Config(http2(options));
    return vertx
        .httpServerBuilder()
        .with(config)
        .with(new ServerSSLOptions().setKeyCertOptions(keyCert(tls)))
        .with(new JdkSSLEngineOptions())
        .build();
  }

  private static Http2ServerConfig http2(ListenOptions options) {
    return new Http2ServerConfig()
        .setInitialSettings(
            new Http2Settings()
                .setMaxConcurrentStreams(100)
                .setMaxHeaderListSize(options.maxHeaderBytes()))
        .setRstFloodMaxRstFramePerWindow(200)
        .setRstFloodWindowDuration(Duration.ofSeconds(30))
        .setMaxSmallContinuationFrames(16);
  }

  private static KeyCertOptions keyCert(Tls tls) throws IOException {
    if (tls instanceof Tls.Pem pem) {
      return new PemKeyCertOptions()
          .setCertValue(read("certificate", pem.certificate()))
          .setKeyValue(read("key", pem.key()));
    }
    if (!(tls instanceof Tls.KeyStore store)) {
      throw new IllegalArgumentException(
          "tls(" + tls + "): percolate-vertx has one certificate, and asks clients for none");
    }
    String type = store.file().toString().endsWith(".jks") ? "JKS" : "PKCS12";
    return new KeyStoreOptions()
        .setType(type)
        .setValue(read("key store", store.file()))
        .setPassword(store.password());
  }

  private static Buffer read(String what, Path file) throws IOException {
    try {
      return Buffer.buffer(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new IOException("tls: the " + what + " " + file + " cannot be read", e);
    }
  }
}

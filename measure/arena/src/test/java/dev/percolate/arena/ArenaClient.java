package dev.percolate.arena;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.percolate.core.JsonCodec;
import dev.percolate.engine.Server;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;

/** Sends requests to one server, with one version of HTTP. */
final class ArenaClient {

  private final HttpClient client;
  private final String address;
  private final HttpClient.Version version;

  ArenaClient(Server server, HttpClient.Version version, SSLContext tls) {
    String scheme = server.uri().getScheme();
    this.address = scheme + "://localhost:" + server.port();
    this.client = HttpClient.newBuilder().sslContext(tls).version(version).build();
    this.version = version;
  }

  HttpRequest.Builder request(String target) {
    return HttpRequest.newBuilder(URI.create(address + target));
  }

  HttpResponse<byte[]> send(HttpRequest.Builder request) throws Exception {
    HttpResponse<byte[]> response =
        client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    if (response.version() != version) {
      throw new IOException("the response has the version " + response.version());
    }
    return response;
  }

  HttpResponse<byte[]> get(String target, String... headers) throws Exception {
    HttpRequest.Builder request = request(target);
    return send(headers.length == 0 ? request : request.headers(headers));
  }

  String text(String target) throws Exception {
    return new String(get(target).body(), UTF_8);
  }

  String post(String target, HttpRequest.BodyPublisher body, String type) throws Exception {
    return new String(send(request(target).header("Content-Type", type).POST(body)).body(), UTF_8);
  }

  /** Returns a body without its content coding. */
  static byte[] decoded(HttpResponse<byte[]> response) throws IOException {
    String coding = response.headers().firstValue("Content-Encoding").orElse("");
    if (coding.isEmpty()) {
      return response.body();
    }
    if (!coding.equals("gzip")) {
      throw new IOException("the response has the coding " + coding);
    }
    return new GZIPInputStream(new ByteArrayInputStream(response.body())).readAllBytes();
  }

  static Map<?, ?> json(HttpResponse<byte[]> response) throws IOException {
    String text = new String(decoded(response), UTF_8);
    return (Map<?, ?>) Objects.requireNonNull(JsonCodec.find().read(text));
  }
}

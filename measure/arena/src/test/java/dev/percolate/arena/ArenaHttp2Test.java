package dev.percolate.arena;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.JsonCodec;
import dev.percolate.engine.Server;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.Message;
import org.apache.hc.core5.http.impl.bootstrap.HttpAsyncRequester;
import org.apache.hc.core5.http.nio.entity.StringAsyncEntityConsumer;
import org.apache.hc.core5.http.nio.support.AsyncRequestBuilder;
import org.apache.hc.core5.http.nio.support.BasicResponseConsumer;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.http2.impl.nio.bootstrap.H2RequesterBootstrap;
import org.apache.hc.core5.util.Timeout;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the rules of the profiles for HTTP/2 in clear text, with prior knowledge. */
final class ArenaHttp2Test {

  @TempDir private static Path folder;
  private static List<Server> servers;
  private static HttpAsyncRequester client;

  @BeforeAll
  static void start() throws Exception {
    ArenaData.write(folder);
    servers =
        ArenaServer.start(
            Map.of("ARENA_DATA", folder.toString(), "ARENA_PORTS", "0,0,0,0", "TLS_CERT", "none"));
    client =
        H2RequesterBootstrap.bootstrap().setVersionPolicy(HttpVersionPolicy.FORCE_HTTP_2).create();
    client.start();
  }

  @AfterAll
  static void stop() throws Exception {
    client.close();
    servers.get(0).close();
    servers.get(3).close();
  }

  private static Message<HttpResponse, String> get(String target) throws Exception {
    String url = "http://127.0.0.1:" + servers.get(3).port() + target;
    var consumer = new BasicResponseConsumer<>(new StringAsyncEntityConsumer());
    Message<HttpResponse, String> response =
        client
            .execute(AsyncRequestBuilder.get(url).build(), consumer, Timeout.ofSeconds(20), null)
            .get();
    assertEquals(HttpVersion.HTTP_2, response.getHead().getVersion());
    return response;
  }

  private static String type(Message<HttpResponse, String> response) {
    return response.getHead().getFirstHeader("Content-Type").getValue();
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "13, 42", "717, 288"})
  void baselineAddsTheParameters(int a, int b) throws Exception {
    Message<HttpResponse, String> response = get("/baseline2?a=" + a + "&b=" + b);
    assertEquals(Integer.toString(a + b), response.getBody());
    assertTrue(type(response).startsWith("text/plain"), type(response));
  }

  @ParameterizedTest
  @CsvSource({"12, 3", "22, 7", "31, 2", "50, 5"})
  void jsonHasTheFirstItems(int count, int factor) throws Exception {
    Message<HttpResponse, String> response = get("/json/" + count + "?m=" + factor);
    assertTrue(type(response).startsWith("application/json"), type(response));
    Map<?, ?> body = (Map<?, ?>) Objects.requireNonNull(JsonCodec.find().read(response.getBody()));
    assertEquals(count, body.get("count"));
    assertEquals(count, ((List<?>) body.get("items")).size());
  }

  @Test
  void httpsIsNotServedWithoutACertificate() {
    assertEquals(null, servers.get(1));
    assertEquals(null, servers.get(2));
  }
}

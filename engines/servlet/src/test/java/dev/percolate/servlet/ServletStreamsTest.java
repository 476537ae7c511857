package dev.percolate.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.percolate.http.Headers;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServletStreamsTest {

  @ParameterizedTest
  @CsvSource({
    "HTTP/2.0,https,shop.example,443,shop.example",
    "HTTP/2.0,https,shop.example,8443,shop.example:8443",
    "HTTP/2.0,http,shop.example,80,shop.example",
    "HTTP/2.0,https,::1,8443,[::1]:8443",
    "HTTP/2.0,https,[::1],443,[::1]",
    "HTTP/3.0,https,shop.example,443,shop.example",
    "HTTP/1.0,http,shop.example,80,"
  })
  void theAuthorityOfHttp2IsTheHost(
      String protocol, String scheme, String name, int port, @Nullable String host) {
    Map<String, Object> properties =
        Map.of(
            "getHeaderNames",
            Collections.emptyEnumeration(),
            "getMethod",
            "GET",
            "getProtocol",
            protocol,
            "getRequestURI",
            "/",
            "getScheme",
            scheme,
            "getServerName",
            name,
            "getServerPort",
            port,
            "isSecure",
            scheme.equals("https"));
    HttpServletRequest request =
        fake(HttpServletRequest.class, (proxy, method, args) -> properties.get(method.getName()));
    HttpServletResponse response = fake(HttpServletResponse.class, (proxy, method, args) -> null);
    assertEquals(host, ServletStreams.of(request, response).headers().get("Host"));
  }

  @ParameterizedTest
  @CsvSource({"1.1,Connection Upgrade X-One", "2.0,X-One"})
  void http2HasNoHeadersOfTheConnection(String version, String names) throws IOException {
    List<String> set = new ArrayList<>();
    HttpServletRequest request = fake(HttpServletRequest.class, (proxy, method, args) -> null);
    HttpServletResponse response =
        fake(
            HttpServletResponse.class,
            (proxy, method, args) -> {
              if (method.getName().equals("setHeader")) {
                set.add(String.valueOf(args[0]));
              }
              return null;
            });
    Headers headers = Headers.of("Connection", "Upgrade", "Upgrade", "websocket", "X-One", "1");
    ServletStreams streams =
        new ServletStreams(request, response, "GET", "/", version, "127.0.0.1", false);
    assertNull(streams.start(426, headers, 0));
    assertEquals(names, String.join(" ", set));
  }

  private static <T> T fake(Class<T> type, InvocationHandler handler) {
    Class<?>[] types = {type};
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), types, handler));
  }
}

package dev.percolate.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Proxy;
import java.util.Collections;
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
            "getHeaderNames", Collections.emptyEnumeration(),
            "getMethod", "GET",
            "getProtocol", protocol,
            "getRequestURI", "/",
            "getScheme", scheme,
            "getServerName", name,
            "getServerPort", port,
            "isSecure", scheme.equals("https"));
    HttpServletRequest request = fake(HttpServletRequest.class, properties);
    HttpServletResponse response = fake(HttpServletResponse.class, Map.of());
    assertEquals(host, ServletStreams.of(request, response).headers().get("Host"));
  }

  /** Creates an object whose methods return the values with their names. */
  private static <T> T fake(Class<T> type, Map<String, Object> results) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> results.get(method.getName())));
  }
}

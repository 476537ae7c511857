package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.percolate.http.BasicCredentials;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestAuthTest {

  @Test
  void nameAndPasswordAreReadFromBasicCredentials() {
    assertEquals(new BasicCredentials("tobi", "a:ü"), basic("tobi:a:ü"));
    assertEquals(new BasicCredentials("", ""), basic(":"));
    assertNull(basic("tobi"));
    assertNull(basic("to\nbi:x"));
  }

  @Test
  void theFirstOfSeveralHeadersIsUsed() {
    Request req =
        FakeExchange.of("GET", "/", "Authorization", "Basic YTpi", "Authorization", "Basic Yzpk")
            .request();
    assertEquals(new BasicCredentials("a", "b"), req.auth());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Basic", "Basic ", "Basic !!", "Bearer YTpi", "YTpi", "Basic YTpi x"})
  void otherHeadersAreIgnored(String header) {
    assertNull(FakeExchange.of("GET", "/", "Authorization", header).request().auth());
    assertNull(new FakeExchange().request().auth());
  }

  private static @Nullable BasicCredentials basic(String pair) {
    String token = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    return FakeExchange.of("GET", "/", "Authorization", "basic " + token).request().auth();
  }
}

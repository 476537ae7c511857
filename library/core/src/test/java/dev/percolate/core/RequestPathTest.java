package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.Exchange;
import dev.percolate.engine.Service;
import dev.percolate.http.Headers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RequestPathTest {

  private final List<String> rejected = new ArrayList<>();
  private final Service service =
      new Service() {
        @Override
        public void serve(Exchange exchange) {
          throw new IllegalStateException("not called");
        }

        @Override
        public void onRejected(Exchange exchange, int status, Headers headers) {
          rejected.add(status + " " + exchange.target());
        }
      };

  @ParameterizedTest
  @CsvSource({
    "/a/b?c=%61, /a/b, /a/b",
    "/%61dmin//x/../y?z, /admin/y, /%61dmin//x/../y",
    "http://h/./a%2fb, /a%2Fb, /./a%2fb",
    "http://h, /, /",
    "*, *, *",
    "/.x/%zz, /.x/%zz, /.x/%zz",
  })
  void thePathIsNormalUnlessTargetsPass(String target, String normal, String sent) {
    FakeExchange exchange = FakeExchange.of("GET", target);
    Request req = admitted(exchange, "normalise");
    assertEquals(normal, req.path());
    assertEquals(normal, req.originalPath());
    assertEquals(target, req.url());
    assertEquals(target, req.originalUrl());
    assertTrue(req.normalised());
    Request raw = admitted(exchange, "pass");
    assertEquals(sent, raw.path());
    assertEquals(sent, raw.originalPath());
    assertFalse(raw.normalised());
  }

  @Test
  void aPathSetByMiddlewareIsNormalised() {
    Request req = admitted(FakeExchange.of("GET", "/x"), "normalise");
    assertSame(req.path(), req.path());
    req.url("/a/../%62?c");
    assertEquals("/b /a/../%62?c /x", req.path() + " " + req.url() + " " + req.originalPath());
    req.url("/../..//c");
    assertEquals("/c", req.path());
    RequestControl.originalUrl(req, "/%79/.");
    assertEquals("/y/", req.originalPath());
  }

  @Test
  void theSettingOfTheOutermostApplicationApplies() {
    Request req = admitted(FakeExchange.of("GET", "/%61"), "normalise");
    Settings pass = new Settings().set(Settings.AMBIGUOUS_TARGETS, "pass");
    RequestControl.context(req, new AppState(pass));
    assertTrue(req.normalised());
    assertEquals("/a", req.path());
  }

  @ParameterizedTest
  @CsvSource({
    "/a\\b, true, true",
    "/%5Ca, true, true",
    "/%00, true, true",
    "/x/../.., true, true",
    "/%2e%2e%2fx, true, true",
    "http://h/..%2fx?y, true, true",
    "/%61, false, true",
    "/a%2fb, false, true",
    "//, false, true",
    "/./a, false, true",
    "/%, false, true",
    "/.a, false, false",
    "/a%20b%C3%A4, false, false",
    "/a?b=\\%00/../.., false, false",
    "*, false, false",
  })
  void theSettingDefinesTheRejectedTargets(String target, boolean doubtful, boolean ambiguous) {
    assertEquals(doubtful, isRejected(target, "normalise"));
    assertEquals(ambiguous, isRejected(target, "refuse"));
    assertFalse(isRejected(target, "pass"));
  }

  private boolean isRejected(String target, String mode) {
    rejected.clear();
    FakeExchange exchange = FakeExchange.of("GET", target);
    Request req = admit(exchange, mode);
    assertEquals(req == null ? List.of("start", "end") : List.of(), exchange.calls);
    assertEquals(req == null ? List.of("400 " + target) : List.of(), rejected);
    assertEquals(req == null ? "close" : null, exchange.header("Connection"));
    return req == null;
  }

  private Request admitted(FakeExchange exchange, String mode) {
    Request req = admit(exchange, mode);
    assertNotNull(req);
    assertNull(exchange.header("Connection"));
    return req;
  }

  private Request admit(FakeExchange exchange, String mode) {
    Settings settings = new Settings().set(Settings.AMBIGUOUS_TARGETS, mode);
    settings.set(Settings.SERVER_OPTIONS, false);
    return RequestControl.admit(exchange, new AppState(settings), service);
  }
}

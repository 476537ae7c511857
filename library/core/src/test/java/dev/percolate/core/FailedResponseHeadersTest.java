package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.percolate.http.HttpError;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An error response keeps no headers of the intended response that describe its body or let caches
 * store it (RFC 9110 section 8, RFC 9111 section 3).
 */
final class FailedResponseHeadersTest {

  private static final List<String> GONE =
      List.of(
          "Cache-Control",
          "CDN-Cache-Control",
          "Expires",
          "ETag",
          "Last-Modified",
          "Accept-Ranges",
          "Content-Disposition",
          "Content-Encoding",
          "Content-Language",
          "Content-Location",
          "Content-Range",
          "Digest",
          "X-Accel-Expires",
          "X-Accel-Redirect",
          "X-LIGHTTPD-send-file",
          "X-Sendfile");

  private static final List<String> KEPT =
      List.of(
          "Set-Cookie",
          "Vary",
          "X-Request-Id",
          "Content-Security-Policy",
          "Access-Control-Allow-Origin",
          "Retry-After");

  private static final Middleware DESCRIBED =
      (req, res, next) -> {
        res.set("Cache-Control", "public, max-age=31536000, immutable");
        res.set("CDN-Cache-Control", "max-age=60").set("Expires", "Fri, 31 Dec 9999 23:59:59 GMT");
        res.set("ETag", "\"a\"").set("Last-Modified", "Thu, 02 Jan 2020 03:04:05 GMT");
        res.set("Accept-Ranges", "bytes").set("Content-Disposition", "attachment");
        res.set("Content-Encoding", "gzip").set("Content-Language", "de");
        res.set("Content-Location", "/a").set("Content-Range", "bytes 0-1/2").set("Digest", "x");
        res.set("Content-Type", "text/csv").set("Content-Length", "3");
        res.set("X-Accel-Expires", "60").set("X-Accel-Redirect", "/a");
        res.set("X-LIGHTTPD-send-file", "/a").set("X-Sendfile", "/a");
        KEPT.forEach(name -> res.set(name, "kept"));
        next.run();
      };

  private final FakeExchange exchange = new FakeExchange();

  @ParameterizedTest
  @ValueSource(strings = {"nobody responds", "an error is thrown", "an error is passed on"})
  void theDefaultPageHasOnlyItsOwnContentHeaders(String how) {
    play(DESCRIBED, how.equals("nobody responds") ? (req, res, next) -> next.run() : failing(how));
    assertEquals(how.equals("nobody responds") ? 404 : 409, exchange.status);
    assertEquals("text/html; charset=utf-8", exchange.header("Content-Type"));
    assertEquals("" + exchange.bytes().length, exchange.header("Content-Length"));
    assertHeaders();
  }

  @Test
  void anErrorHandlerRespondsWithoutThem() {
    ErrorHandler handler = (error, req, res, next) -> res.status(409).send("sorry");
    play(DESCRIBED, failing("an error is thrown"), handler);
    assertEquals("409 sorry", exchange.status + " " + exchange.body());
    assertHeaders();
  }

  private void assertHeaders() {
    GONE.forEach(name -> assertNull(exchange.header(name), name));
    KEPT.forEach(name -> assertEquals("kept", exchange.header(name), name));
  }

  private static Middleware failing(String how) {
    return (req, res, next) -> {
      HttpError error = new HttpError(409);
      if (how.equals("an error is passed on")) {
        next.fail(error);
      } else {
        throw error;
      }
    };
  }

  @Test
  void theTypeIsKeptIfTheErrorHandlerSetsNone() {
    Middleware json =
        (req, res, next) -> {
          res.type("json");
          next.run();
        };
    ErrorHandler handler = (error, req, res, next) -> res.status(409).send("{}");
    play(json, failing("an error is thrown"), handler);
    assertEquals("application/json; charset=utf-8", exchange.header("Content-Type"));
  }

  @Test
  void headersOfAnErrorHandlerAreKeptForTheNextOne() {
    ErrorHandler first =
        (error, req, res, next) -> {
          res.set("Cache-Control", "max-age=5").set("Content-Language", "en");
          next.fail(error);
        };
    ErrorHandler second = (error, req, res, next) -> res.status(500).end("sorry");
    play(DESCRIBED, failing("an error is thrown"), first, second);
    assertEquals("max-age=5", exchange.header("Cache-Control"));
    assertEquals("en", exchange.header("Content-Language"));
  }

  @Test
  void anotherErrorRemovesThemAgain() {
    ErrorHandler first =
        (error, req, res, next) -> {
          res.set("Content-Language", "en");
          throw new IOException("another");
        };
    ErrorHandler second = (error, req, res, next) -> res.status(500).end("sorry");
    play(failing("an error is thrown"), first, second);
    assertNull(exchange.header("Content-Language"));
  }

  @Test
  void headersThatForbidCachingAreKept() {
    Middleware secret =
        (req, res, next) -> {
          res.set("Cache-Control", "private, no-store, max-age=60").set("Pragma", "no-cache");
          res.set("Expires", "0");
          next.run();
        };
    play(secret, failing("an error is thrown"));
    assertEquals("private, no-store", exchange.header("Cache-Control"));
    assertEquals("no-cache 0", exchange.header("Pragma") + " " + exchange.header("Expires"));
  }

  @Test
  void a416KeepsContentRange() {
    play(
        (req, res, next) -> {
          res.set("Content-Range", "items */50").set("ETag", "\"a\"");
          throw new HttpError(416);
        });
    assertEquals("416 items */50", exchange.status + " " + exchange.header("Content-Range"));
    assertNull(exchange.header("ETag"));
  }

  @Test
  void byTheRulesOfExpressAllButEncodingAndLengthAreKept() {
    exchange.setting("conditional requests", "express");
    play(DESCRIBED, failing("an error is thrown"));
    assertEquals("\"a\" de", exchange.header("ETag") + " " + exchange.header("Content-Language"));
    assertNull(exchange.header("Content-Encoding"));
    FakeExchange none = new FakeExchange().setting("conditional requests", "express");
    play(none, DESCRIBED);
    assertEquals("404 \"a\"", none.status + " " + none.header("ETag"));
    assertNull(none.header("Content-Encoding"));
  }

  private void play(Middleware... steps) {
    play(exchange, steps);
  }

  private static void play(FakeExchange exchange, Middleware... steps) {
    Request req = exchange.request();
    exchange.executor.execute(
        () -> Chain.of(steps).handle(req, req.response(), new FinalHandler(req.response())));
  }
}

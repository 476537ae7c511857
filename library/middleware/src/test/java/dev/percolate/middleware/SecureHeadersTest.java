package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SecureHeadersTest {

  private static final Handler OK = (req, res) -> res.send("ok");

  @Test
  void defaultsAreSetWithoutTransportSecurityOverPlainHttp() {
    Reply reply = Played.reply(Call.get("/"), SecureHeaders.of(), OK);
    assertEquals("nosniff", reply.header("X-Content-Type-Options"));
    assertEquals("SAMEORIGIN", reply.header("X-Frame-Options"));
    assertEquals("no-referrer", reply.header("Referrer-Policy"));
    assertEquals("0", reply.header("X-XSS-Protection"));
    assertNull(reply.header("Strict-Transport-Security"));
    assertNull(reply.header("Content-Security-Policy"));
  }

  @Test
  void transportSecurityIsSetOverHttps() {
    SecureHeaders headers = SecureHeaders.of();
    assertEquals("max-age=15552000; includeSubDomains", transport(headers));
    assertEquals(
        "max-age=1; preload",
        transport(headers.strictTransportSecurity(Duration.ofMillis(1999), false, true)));
    assertNull(transport(headers.header("strict-transport-security", null)));
  }

  @Test
  void handlersCanReplaceHeaders() {
    Handler own = (req, res) -> res.set("x-frame-options", "DENY").send("ok");
    assertEquals(
        "DENY", Played.reply(Call.get("/"), SecureHeaders.of(), own).header("X-Frame-Options"));
  }

  @Test
  void handlersCanRemoveHeaders() {
    Handler without = (req, res) -> res.remove("X-Frame-Options").send("ok");
    Reply reply = Played.reply(Call.get("/"), SecureHeaders.of(), without);
    assertNull(reply.header("X-Frame-Options"));
    assertEquals("nosniff", reply.header("X-Content-Type-Options"));
  }

  @Test
  void errorPagesHaveTheHeaders() {
    Reply reply = Played.reply(Call.get("/"), SecureHeaders.of(), Played.FAILING_HOOK, OK);
    assertEquals("500 no sessions", reply.status() + " " + reply.text());
    assertEquals("SAMEORIGIN", reply.header("X-Frame-Options"));
  }

  @Test
  void optionsReplaceDefaults() {
    SecureHeaders headers =
        SecureHeaders.of()
            .contentSecurityPolicy("default-src 'self'")
            .header("referrer-policy", "origin")
            .header("X-Frame-Options", null);
    Reply reply = Played.reply(Call.get("/"), headers);
    assertEquals(404, reply.status());
    assertEquals("default-src 'self'", reply.header("Content-Security-Policy"));
    assertEquals("origin", reply.header("Referrer-Policy"));
    assertNull(reply.header("X-Frame-Options"));
  }

  @Test
  void invalidValuesAreRejected() {
    SecureHeaders headers = SecureHeaders.of();
    assertThrows(IllegalArgumentException.class, () -> headers.header("a b", "c"));
    assertThrows(
        IllegalArgumentException.class, () -> headers.contentSecurityPolicy("a\r\nSet-Cookie: b"));
    assertThrows(
        IllegalArgumentException.class,
        () -> headers.strictTransportSecurity(Duration.ofSeconds(-1), true, true));
  }

  private static @Nullable String transport(SecureHeaders headers) {
    Settings settings = new Settings().set("trust proxy", true);
    Call call = Call.get("/").header("X-Forwarded-Proto", "https");
    return Played.reply(settings, call, headers, OK).header("Strict-Transport-Security");
  }

  @Test
  void eachResponseHasItsNonceInThePolicyAndInTheVariableOfViews() {
    Handler page =
        (req, res) -> res.send(SecureHeaders.nonce(req) + " " + res.locals().get("nonce"));
    SecureHeaders headers = SecureHeaders.of().nonce();
    Reply first = Played.reply(Call.get("/"), headers, page);
    String nonce = first.text().substring(0, first.text().indexOf(' '));
    assertTrue(nonce.matches("[A-Za-z0-9_-]{22}"), nonce);
    assertEquals(nonce + " " + nonce, first.text());
    assertEquals(
        "default-src 'self'; script-src 'nonce-NONCE' 'strict-dynamic';"
            + " style-src 'self' 'nonce-NONCE'; object-src 'none'; base-uri 'none';"
            + " frame-ancestors 'self'",
        policy(first).replace(nonce, "NONCE"));
    assertNotEquals(first.text(), Played.reply(Call.get("/"), headers, page).text());
  }

  @Test
  void anOwnPolicyContainsTheNonce() {
    SecureHeaders own =
        SecureHeaders.of()
            .contentSecurityPolicy("script-src 'nonce-{nonce}'")
            .header("Content-Security-Policy-Report-Only", "style-src 'nonce-{nonce}'");
    Handler page = (req, res) -> res.send(SecureHeaders.nonce(req));
    Reply reply = Played.reply(Call.get("/"), own, page);
    assertEquals("script-src 'nonce-" + reply.text() + "'", policy(reply));
    assertEquals(
        "style-src 'nonce-" + reply.text() + "'",
        reply.header("Content-Security-Policy-Report-Only"));
    Reply twice = Played.reply(Call.get("/"), own, SecureHeaders.of().nonce(), page);
    assertEquals("script-src 'nonce-" + twice.text() + "'", policy(twice));
  }

  @Test
  void aMissingNonceIsReported() {
    Handler page = (req, res) -> res.send(SecureHeaders.nonce(req));
    String outcome = Played.outcome(Call.get("/"), SecureHeaders.of(), page);
    assertTrue(outcome.startsWith("500 "), outcome);
    assertTrue(outcome.contains("app.use(SecureHeaders.of().nonce())"), outcome);
  }

  private static String policy(Reply reply) {
    return String.valueOf(reply.header("Content-Security-Policy"));
  }
}

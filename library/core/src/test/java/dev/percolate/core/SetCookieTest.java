package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.http.CookieOptions;
import dev.percolate.http.CookieSignature;
import dev.percolate.http.HttpDate;
import dev.percolate.http.Percent;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class SetCookieTest {

  private final Response res = new FakeExchange().response();
  private final CookieOptions none = CookieOptions.none();

  private List<String> cookies() {
    return res.headers().all("Set-Cookie");
  }

  @Test
  void eachCookieHasItsOwnHeaderLine() {
    res.cookie("name", "tobi").cookie("age", 1).cookie("ok", true).cookie("name", "tobi");
    assertEquals(
        List.of("name=tobi; Path=/", "age=1; Path=/", "ok=true; Path=/", "name=tobi; Path=/"),
        cookies());
  }

  @Test
  void theValueIsEncoded() {
    res.cookie("v", "a b;c,d=\u00e9\"%/'()*!~").cookie("w", "a b", none.encode(x -> "<" + x + ">"));
    assertEquals(
        List.of("v=a%20b%3Bc%2Cd%3D%C3%A9%22%25%2F'()*!~; Path=/", "w=<a b>; Path=/"), cookies());
  }

  @Test
  void attributesHaveAFixedOrder() {
    res.cookie("a", "1", none.secure(true).httpOnly(true).path("/x").domain("d.test"));
    assertEquals(List.of("a=1; Domain=d.test; Path=/x; HttpOnly; Secure"), cookies());
  }

  @Test
  void maxAgeAlsoSetsExpires() {
    long before = System.currentTimeMillis();
    res.cookie("a", "1", none.maxAge(1500));
    String cookie = cookies().get(0);
    String start = "a=1; Max-Age=1.5; Path=/; Expires=";
    assertTrue(cookie.startsWith(start), cookie);
    Long expires = HttpDate.parse(cookie.substring(start.length()));
    assertTrue(expires != null && Math.abs(expires - before - 1500) < 60_000, cookie);
  }

  @Test
  void aSignedCookieContainsItsSignature() {
    res.req().attr(Request.SECRET, "foo bar baz");
    res.req().settings().set(Settings.COOKIE_SIGNATURE, "express");
    res.cookie("name", "tobi", none.signed(true));
    assertEquals(
        List.of("name=s%3Atobi.xJjV2iZ6EI7C8E5kzwbfA9PVLl1ZR07UTnuTgQQ4EnQ; Path=/"), cookies());
  }

  @Test
  void aSignatureIsBoundToTheNameUnlessTheSettingDiffers() {
    res.req().attr(Request.SECRET, "k");
    for (String name : List.of("a", "b")) {
      res.cookie(name, "v", none.signed(true));
    }
    for (int i = 0; i < 2; i++) {
      String name = i == 0 ? "a" : "b";
      String signed = CookieSignature.sign("cookie", name, "v", "k");
      String value = Percent.encodeComponent("s:" + signed);
      assertEquals(name + "=" + value + "; Path=/", cookies().get(i));
    }
  }

  @Test
  void textThatLooksLikeJsonOrASignatureIsMarkedAsText() {
    res.cookie("a", "j:{}").cookie("b", "s:x").cookie("c", "t:j:");
    assertEquals(
        List.of("a=t%3Aj%3A%7B%7D; Path=/", "b=t%3As%3Ax; Path=/", "c=t%3At%3Aj%3A; Path=/"),
        cookies());
    res.req().settings().set(Settings.COOKIE_SIGNATURE, "express");
    res.cookie("e", "j:{}");
    assertEquals("e=j%3A%7B%7D; Path=/", cookies().get(3));
  }

  @Test
  void anUnknownSignatureFormIsRejectedWhenItIsSet() {
    Settings settings = new Settings();
    assertThrows(IllegalArgumentException.class, () -> settings.set("cookie signature", "none"));
    assertThrows(IllegalArgumentException.class, () -> settings.set("cookie signature", true));
    assertEquals("both", settings.set("cookie signature", "both").get(Settings.COOKIE_SIGNATURE));
  }

  @ParameterizedTest
  @NullAndEmptySource
  void signingNeedsASecret(String secret) {
    if (secret != null) {
      res.req().attr(Request.SECRET, secret);
    }
    String message =
        assertThrows(IllegalStateException.class, () -> res.cookie("a", "1", none.signed(true)))
            .getMessage();
    assertEquals(
        "cookie(\"a\", …): no secret to sign it; add CookieParser.of(secret) before this handler",
        message);
    assertEquals(List.of(), cookies());
  }

  @Test
  void aClearedCookieHasExpiredWhateverItsLifetime() {
    String epoch = "; Expires=Thu, 01 Jan 1970 00:00:00 GMT";
    res.clearCookie("sid").clearCookie("adm", none.path("/a").domain("x.test").maxAge(5000));
    assertEquals(
        List.of("sid=; Path=/" + epoch, "adm=; Domain=x.test; Path=/a" + epoch), cookies());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a=b", "a;b", "a\r\n", "\u00e9"})
  void aNameMustBeAToken(String name) {
    assertThrows(IllegalArgumentException.class, () -> res.cookie(name, "1"));
  }

  @Test
  void anAttributeCannotAddAnother() {
    assertThrows(
        IllegalArgumentException.class, () -> res.cookie("a", "1", none.path("/; HttpOnly")));
    assertThrows(
        IllegalArgumentException.class, () -> res.cookie("a", "1", none.domain("d\r\nX: y")));
  }
}

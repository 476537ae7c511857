package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostTest {

  @ParameterizedTest
  @CsvSource({
    "example.test, example.test",
    "example.test:3000, example.test",
    "EXAMPLE.test:, EXAMPLE.test",
    "[::1], [::1]",
    "[::1]:80, [::1]",
    "[2001:db8::7]:x:y, [2001:db8::7]",
    "[::1, [",
    ":80, ''",
    "'', ''",
    "a:b:c, a",
    "[]:1, []",
    "'a, b:1', 'a, b'"
  })
  void thePortFollowsTheFirstColonAfterTheBrackets(String host, String expected) {
    assertEquals(expected, Host.withoutPort(host));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "a.b-c_d.example",
        "A.B:80",
        "a:",
        "a:0",
        "a:65535",
        "127.0.0.1:1",
        "[::1]",
        "[::ffff:10.0.0.1]:443",
        "[2001:db8::1]:",
        "a.b+c",
        "api..net",
        ".example",
        "a%20b",
        "a%aF%Fa%09",
        "aAzZ09",
        "999.1.2.3"
      })
  void namesAndAddressesAreHostsWithAndWithoutAPort(String host) {
    assertTrue(Host.isValid(host));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.com:x@good.com",
        "u@h",
        "a b",
        "a/b?c",
        "a#b",
        "a\\b",
        "[::1",
        "::1",
        "[::1]x",
        "[::1]:x",
        "[]",
        "[a]",
        "[1.2.3.4]",
        "",
        " ",
        ":",
        ":8080",
        "[fe80::1%eth0]",
        "a:99999",
        "a:65536",
        "a:-1",
        "a:+1",
        "a:1:2",
        ":80",
        "a\0b",
        "a\tb",
        "\u00e4",
        "a%2",
        "a%zz",
        "a%g0",
        "a%0G",
        "a%`0",
        "a%@0",
        "a%/0",
        "a`",
        "a{",
        "a@",
        "a[",
        "a,b c",
        "<a>",
        "\"a\"",
        "a:\u0661"
      })
  void otherTextsAreNotHosts(String host) {
    assertFalse(Host.isValid(host));
  }

  @Test
  void subdomainsAreListedFromTheRight() {
    assertEquals(List.of("ferrets", "tobi"), Host.subdomains("tobi.ferrets.example.com", 2));
    assertEquals(List.of("tobi"), Host.subdomains("tobi.ferrets.example.com", 3));
    assertEquals(List.of("com", "example"), Host.subdomains("example.com", 0));
    assertEquals(List.of("com", "example"), Host.subdomains("example.com", -1));
    assertEquals(List.of(), Host.subdomains("example.com", 2));
    assertEquals(List.of(), Host.subdomains("localhost", 2));
    assertEquals(List.of(), Host.subdomains("a.b.c", Integer.MAX_VALUE));
  }

  @Test
  void emptyLabelsCount() {
    assertEquals(List.of("", "a"), Host.subdomains("a..b.c", 2));
    assertEquals(List.of("a"), Host.subdomains("a.example.", 2));
    assertEquals(List.of(""), Host.subdomains("..", 2));
    assertEquals(List.of(), Host.subdomains("", 0));
  }

  @Test
  void anIpAddressIsOneLabel() {
    assertEquals(List.of("127.0.0.1"), Host.subdomains("127.0.0.1", 0));
    assertEquals(List.of(), Host.subdomains("127.0.0.1", 1));
    assertEquals(List.of("[::1]"), Host.subdomains("[::1]", 0));
    assertEquals(List.of("[::ffff:127.0.0.1]"), Host.subdomains("[::ffff:127.0.0.1]", 0));
    assertEquals(List.of("::1"), Host.subdomains("::1", 0));
    assertEquals(List.of("1", "256"), Host.subdomains("256.1.2.3", 2));
  }

  @ParameterizedTest
  @CsvSource({
    "localhost,true",
    "LOCALHOST:8080,true",
    "app.localhost:3000,true",
    "127.0.0.1:8080,true",
    "127.9.9.9,true",
    "[::1],true",
    "[::1]:8080,true",
    "[0:0:0:0:0:0:0:1]:80,true",
    "evil.example,false",
    "evil.example:8080,false",
    "localhost.evil.example,false",
    "127.0.0.1.evil.example,false",
    "notlocalhost,false",
    "127.0.0.999,false",
    "127.1,false",
    "10.0.0.1,false",
    "[::2],false",
    "0.0.0.0,false",
    "'',false"
  })
  void onlyNamesAndAddressesOfThisMachineAreLoopback(String host, boolean loopback) {
    assertEquals(loopback, Host.isLoopback(host));
  }
}

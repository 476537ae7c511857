package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardedTest {

  private static final String PEER = "10.0.0.9";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Forwarded",
        "VIA",
        "X-Forwarded-For",
        "x-forwarded-proto",
        "X-Forwarded-Anything",
        "X-Real-IP",
        "CF-Connecting-IP",
        "True-Client-IP"
      })
  void headersThatProxiesAddRevealAProxy(String name) {
    assertTrue(Forwarded.isThroughProxy(Headers.of("Host", "a.test", name, "")));
  }

  @Test
  void tabsMaySurroundAddresses() {
    Forwarded forwarded =
        of(Trust.of("10.0.0.0/8"), "X-Forwarded-For", "203.0.113.7\t,\t10.0.0.2\t");
    assertEquals("203.0.113.7", forwarded.address());
    assertEquals(List.of("203.0.113.7", "10.0.0.2"), forwarded.addresses());
  }

  @Test
  void headersOfClientsDoNotRevealAProxy() {
    assertFalse(Forwarded.isThroughProxy(new Headers()));
    assertFalse(
        Forwarded.isThroughProxy(
            Headers.of("Host", "via", "X-Forward", "1", "X-Real", "1", "Forwarding", "1")));
  }

  @Test
  void reportsOfAnUntrustedPeerAreIgnored() {
    Forwarded forwarded =
        of(
            Trust.of(false),
            "X-Forwarded-For",
            "203.0.113.1",
            "X-Forwarded-Proto",
            "https",
            "X-Forwarded-Host",
            "front.test",
            "Host",
            "back.test:8080");
    assertEquals(PEER, forwarded.address());
    assertEquals(List.of(), forwarded.addresses());
    assertEquals("http", forwarded.protocol("http"));
    assertEquals("back.test:8080", forwarded.host("back.test:8080"));
  }

  @Test
  void theChainEndsWithTheFirstUntrustedAddress() {
    Trust trust = Trust.of("10.0.0.0/8");
    Forwarded forwarded =
        of(trust, "X-Forwarded-For", "10.0.0.1, spoofed, 203.0.113.7, 10.0.0.3, 10.0.0.2");
    assertEquals("203.0.113.7", forwarded.address());
    assertEquals(List.of("203.0.113.7", "10.0.0.3", "10.0.0.2"), forwarded.addresses());
  }

  @Test
  void hopsCountFromThePeer() {
    String list = "c, b, a";
    assertEquals(PEER, of(Trust.of(0), "X-Forwarded-For", list).address());
    assertEquals("a", of(Trust.of(1), "X-Forwarded-For", list).address());
    assertEquals("b", of(Trust.of(2), "X-Forwarded-For", list).address());
    assertEquals("c", of(Trust.of(3), "X-Forwarded-For", list).address());
    assertEquals("c", of(Trust.of(99), "X-Forwarded-For", list).address());
    assertEquals(List.of("b", "a"), of(Trust.of(2), "X-Forwarded-For", list).addresses());
  }

  @Test
  void theTrustIsCalledInOrderAndNotForTheLastAddress() {
    List<String> asked = new ArrayList<>();
    Trust trust =
        (address, hop) -> {
          asked.add(address + " " + hop);
          return true;
        };
    of(trust, "X-Forwarded-For", "c,,b, a").address();
    assertEquals(List.of(PEER + " 0", "a 1", "b 2"), asked);
    asked.clear();
    of(trust, "X-Forwarded-For", ", ,").address();
    of(trust).addresses();
    assertEquals(List.of(), asked);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a,,b       | a b",
        "a ,  b     | a b",
        "'  a , b ' | a b",
        ",a,        | a",
        ", , ,      | ''",
        "''         | ''",
        "a b        | a_b",
        "unknown, :1, [::1  | unknown :1 [::1",
      })
  void spacesAndEmptyEntriesAreIgnored(String header, String expected) {
    List<String> list =
        expected.isEmpty()
            ? List.of()
            : List.of(expected.split(" ", -1)).stream().map(s -> s.replace('_', ' ')).toList();
    Forwarded forwarded = of(Trust.of(true), "X-Forwarded-For", header);
    assertEquals(list, forwarded.addresses());
    assertEquals(list.isEmpty() ? PEER : list.get(0), forwarded.address());
  }

  @Test
  void severalLinesAreOneList() {
    Forwarded forwarded =
        of(Trust.of(2), "X-Forwarded-For", "c, b", "x-forwarded-for", "a", "Via", "x");
    assertEquals(List.of("b", "a"), forwarded.addresses());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "https         | https",
        "HTTPS         | https",
        "https,http    | https",
        "http , https  | http",
        "'  https '    | https",
        "wss\u00a0,x   | https",
        "Ws            | http",
        "spdy          | spdy",
        "a b, https    | http",
        "https://      | http",
        "443           | http",
        "', ,https'    | https",
        "''            | http",
      })
  void theFirstProtocolCountsInLowerCaseIfItIsAScheme(String header, String expected) {
    assertEquals(expected, of(Trust.of(1), "X-Forwarded-Proto", header).protocol("http"));
  }

  @Test
  void theProtocolOfTheConnectionIsTheDefault() {
    assertEquals("https", of(Trust.of(true)).protocol("https"));
    assertEquals("http", of(Trust.of(1), "X-Forwarded-Proto", "http").protocol("https"));
    assertEquals("https", of(Trust.of(0), "X-Forwarded-Proto", "http").protocol("https"));
  }

  @Test
  void theReportedHostOverridesTheOwnUnlessItIsEmpty() {
    assertEquals("f:1", of(Trust.of(1), "X-Forwarded-Host", "f:1").host("h"));
    assertEquals("h", of(Trust.of(1), "X-Forwarded-Host", "").host("h"));
    assertEquals("h", of(Trust.of("127.0.0.1"), "X-Forwarded-Host", "f").host("h"));
    assertNull(of(Trust.of(true)).host(null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.com, b.com        | a.com",
        "a.com:8443,b.com    | a.com:8443",
        "'  a.com  ,b.com '  | a.com",
        "[2001:db8::1]:80, b | [2001:db8::1]:80",
        "A.com               | A.com",
        "bad host            | h",
        "bad host, a.com     | h",
        "', a.com'           | a.com",
        "a.com/evil          | h",
        "user@a.com          | h",
        "a.com:99999         | h",
        "<script>            | h",
        "http://a.com        | h",
      })
  void theFirstHostCountsIfItIsValid(String header, String expected) {
    assertEquals(expected, of(Trust.of(1), "X-Forwarded-Host", header).host("h"));
  }

  @Test
  void theFirstOfSeveralHeaderLinesCounts() {
    Forwarded forwarded =
        of(
            Trust.of(1),
            "X-Forwarded-Host",
            "",
            "X-Forwarded-Host",
            "a.com",
            "X-Forwarded-Host",
            "b.com",
            "X-Forwarded-Proto",
            "https",
            "X-Forwarded-Proto",
            "http");
    assertEquals("a.com", forwarded.host("h"));
    assertEquals("https", forwarded.protocol("http"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "9.9.9.9:1111, 10.0.0.5:2222            | 9.9.9.9",
        "9.9.9.9:1111                           | 9.9.9.9",
        "[2001:db8::1]:443, 10.0.0.5            | 2001:db8::1",
        "'\"[2001:db8::1]\", 10.0.0.5'          | 2001:db8::1",
        "'\"[2001:db8::1]:443\"'                | 2001:db8::1",
        "'\"9.9.9.9:80\"'                       | 9.9.9.9",
        "[2001:db8::1]                          | 2001:db8::1",
        "2001:db8::1, 10.0.0.5:1, 10.0.0.6:2    | 2001:db8::1",
        "9.9.9.9, [::ffff:10.0.0.5]:1           | 9.9.9.9",
        "9.9.9.9:                               | 9.9.9.9",
        "9.9.9.9:99999                          | 9.9.9.9:99999",
        "9.9.9.9:x                              | 9.9.9.9:x",
        "unknown:80                             | unknown:80",
        "[unknown]                              | [unknown]",
        "999.1.1.1:80, 10.0.0.5:1               | 999.1.1.1:80",
      })
  void theAddressIsReportedWithoutPortBracketsAndQuotes(String header, String address) {
    Forwarded forwarded = of(Trust.of("10.0.0.0/8"), "X-Forwarded-For", header);
    assertEquals(address, forwarded.address());
    assertEquals(address, forwarded.addresses().get(0));
  }

  @Test
  void theTrustReceivesTheAddressWithoutPort() {
    List<String> asked = new ArrayList<>();
    Trust trust = (address, hop) -> asked.add(address);
    of(trust, "X-Forwarded-For", "9.9.9.9, [2001:db8::1]:7, 10.0.0.5:80").address();
    assertEquals(List.of(PEER, "10.0.0.5", "2001:db8::1"), asked);
  }

  @Test
  void onlyThePeerMayReportProtocolAndHost() {
    Trust second = (address, hop) -> hop == 1;
    assertEquals("http", of(second, "X-Forwarded-Proto", "https").protocol("http"));
    assertEquals("h", of(second, "X-Forwarded-Host", "f").host("h"));
  }

  @Test
  void absurdlyLongListsTakeLinearTime() {
    int length = 200_000;
    List<String> lists =
        List.of(
            "10.0.0.1,".repeat(length),
            ",".repeat(length),
            " ".repeat(length) + "x",
            " ,".repeat(length),
            "a" + " ".repeat(length) + "b");
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> {
          for (String list : lists) {
            for (Object setting : List.of(true, false, 3, "10.0.0.0/8")) {
              Forwarded forwarded = of(Trust.of(setting), "X-Forwarded-For", list);
              assertEquals(forwarded.addresses().isEmpty(), forwarded.address().equals(PEER));
              of(Trust.of(setting), "X-Forwarded-Proto", list).protocol("http");
            }
          }
        });
    Forwarded forwarded = of(Trust.of("10.0.0.0/8"), "X-Forwarded-For", lists.get(0));
    assertEquals(length, forwarded.addresses().size());
  }

  private static Forwarded of(Trust trust, String... headers) {
    return new Forwarded(Headers.of(headers), PEER, trust);
  }
}

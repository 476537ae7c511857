package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.InetAddress;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IpTextTest {

  @ParameterizedTest
  @CsvSource({
    "0:0:0:0:0:0:0:1,::1",
    "0:0:0:0:0:0:0:0,::",
    "2001:DB8:0:0:0:0:2:1,2001:db8::2:1",
    "2001:db8:0:1:1:1:1:1,2001:db8:0:1:1:1:1:1",
    "2001:0:0:1:0:0:0:1,2001:0:0:1::1",
    "2001:db8:0:0:1:0:0:1,2001:db8::1:0:0:1",
    "1:0:0:0:0:0:0:0,1::",
    "0:0:3:4:5:6:0:0,::3:4:5:6:0:0",
    "0:2:3:4:5:6:7:0,0:2:3:4:5:6:7:0",
    "00ab:000c:0:0:0:0:0:0001,ab:c::1",
    "64:ff9b::192.0.2.33,64:ff9b::c000:221",
    "::1,::1"
  })
  void anIpv6AddressHasOneCanonicalForm(String given, String canonical) {
    assertEquals(canonical, IpText.canonical(given));
  }

  @ParameterizedTest
  @CsvSource({
    "::ffff:127.0.0.1,127.0.0.1",
    "0:0:0:0:0:FFFF:c000:201,192.0.2.1",
    "::ffff:0:0,0.0.0.0",
    "::ffff:255.255.255.255,255.255.255.255",
    "::fffe:127.0.0.1,::fffe:7f00:1",
    "::127.0.0.1,::7f00:1"
  })
  void anIpv4MappedAddressIsTheIpv4Address(String given, String canonical) {
    assertEquals(canonical, IpText.canonical(given));
  }

  @Test
  void theZoneIsKept() {
    assertEquals("fe80::1%eth0", IpText.canonical("fe80:0:0:0:0:0:0:1%eth0"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "127.0.0.1", "unknown", "localhost", "1:2", ":::", "12345::", "g::1"})
  void otherTextDoesNotChange(String text) {
    assertEquals(text, IpText.canonical(text));
  }

  @Test
  void theCanonicalFormIsTheSameAddress() throws Exception {
    Random random = new Random(5952);
    for (int i = 0; i < 5000; i++) {
      byte[] bytes = new byte[16];
      for (int k = 0; k < 16; k++) {
        bytes[k] = random.nextBoolean() ? 0 : (byte) random.nextInt();
      }
      InetAddress address = InetAddress.getByAddress(bytes);
      String canonical = IpText.canonical(address.getHostAddress());
      assertEquals(IpAddress.parse(address.getHostAddress()), IpAddress.parse(canonical));
      assertEquals(canonical, IpText.canonical(canonical));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, 192.0.2.1",
    "::ffff:192.0.2.1, 192.0.2.1",
    "2001:DB8:0:0:1:2:3:4, 2001:db8::/64",
    "2001:db8:1:2:3:4:5:6, 2001:db8:1:2::/64",
    "::1, ::/64",
    "fe80::1%eth0, fe80::1%eth0",
    "fe80::1, fe80::1",
    "unknown, unknown",
    "1:2, 1:2",
    "'', ''"
  })
  void aClientIsAnIpv4AddressOrAnIpv6Network(String address, String network) {
    assertEquals(network, IpText.network(address));
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, 192.0.2.1",
    "192.0.2.1:65535, 192.0.2.1",
    "2001:db8::1, 2001:db8::/64",
    "[2001:db8::1], 2001:db8::/64",
    "[::ffff:192.0.2.1]:80, 192.0.2.1",
    "fe80::1%eth0, fe80::1%eth0"
  })
  void aReportedAddressMayHaveAPort(String given, String network) {
    assertEquals(network, IpText.reportedNetwork(given));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "unknown",
        "_hidden",
        "localhost",
        "192.0.2",
        "192.0.2.1:x",
        "1.2.3.4:5:6",
        "192.0.2.01",
        "[192.0.2.1]:80",
        "[::1",
        "::1]:80",
        "[]",
        ":80",
        "192.0.2.1:99999",
        "::1%a"
      })
  void otherReportsHaveNoAddress(String text) {
    assertNull(IpText.reportedNetwork(text));
  }
}

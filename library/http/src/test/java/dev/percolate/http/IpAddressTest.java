package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0, 0",
    "1.2.3.4, 0102030400000000",
    "255.255.255.255, ffffffff00000000",
    "192.168.0.10, c0a8000a00000000",
  })
  void anIpv4AddressIsFourDecimalNumbers(String text, String high) {
    assertEquals(new IpAddress(32, Long.parseUnsignedLong(high, 16), 0), IpAddress.parse(text));
  }

  @ParameterizedTest
  @CsvSource({
    "::, 0, 0",
    "::1, 0, 1",
    "1::, 0001000000000000, 0",
    "1:2:3:4:5:6:7:8, 0001000200030004, 0005000600070008",
    "2001:DB8::a00:1, 20010db800000000, 000000000a000001",
    "::2:3:4:5:6:7:8, 0000000200030004, 0005000600070008",
    "1:2:3:4:5:6:7::, 0001000200030004, 0005000600070000",
    "1:2:3::5:6:7:8, 0001000200030000, 0005000600070008",
    "0:0:0:0:0:0:0:1, 0, 1",
    "0001:0:0:0:0:0:0:0a, 0001000000000000, a",
    "::ffff:10.1.2.3, 0, 0000ffff0a010203",
    "64:ff9b::192.0.2.33, 0064ff9b00000000, 00000000c0000221",
    "1:2:3:4:5:6:1.2.3.4, 0001000200030004, 0005000601020304",
    "::1.2.3.4, 0, 0000000001020304",
  })
  void anIpv6AddressHasEightGroupsOrAGap(String text, String high, String low) {
    assertEquals(
        new IpAddress(128, Long.parseUnsignedLong(high, 16), Long.parseUnsignedLong(low, 16)),
        IpAddress.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        ".",
        "...",
        "1",
        "1.2.3",
        "1.2.3.",
        ".1.2.3",
        "1.2.3.4.",
        "1.2.3.4.5",
        "1..3.4",
        "256.1.1.1",
        "1.2.3.999",
        "1.2.3.1000",
        "01.2.3.4",
        "1.2.3.00",
        "0x7f.0.0.1",
        "2130706433",
        "0177.0.0.1",
        "+1.2.3.4",
        "-1.2.3.4",
        "1.2.3.4 ",
        " 1.2.3.4",
        "1.2.3.4:80",
        "1.2.3.a",
        "1.2.3.٤",
        "localhost",
        "unknown",
        "_hidden"
      })
  void otherTextsAreNotIpv4Addresses(String text) {
    assertNull(IpAddress.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ":",
        ":::",
        "1:",
        ":1",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4::5:6:7:8",
        "1::2::3",
        "::1::",
        "12345::",
        "::g",
        "::-1",
        "::+1",
        "::1 ",
        "[::1]",
        "::1.2.3",
        "::1.2.3.256",
        "1.2.3.4::",
        "::1.2.3.4:5",
        "1:2:3:4:5:6:7:1.2.3.4",
        "1:2:3:4:5:1.2.3.4",
        "1:2:::3",
        "::1:",
        ":1::",
        "::٤",
        "::1/128"
      })
  void otherTextsAreNotIpv6Addresses(String text) {
    assertNull(IpAddress.parse(text));
  }

  @Test
  void onlyALinkLocalAddressHasAZone() {
    IpAddress plain = IpAddress.parse("fe80::1");
    assertEquals(plain, IpAddress.parse("fe80::1%eth0"));
    assertEquals(plain, IpAddress.parse("fe80:0:0:0:0:0:0:1%2"));
    assertNotNull(IpAddress.parse("febf::1%2"));
    assertNull(IpAddress.parse("fe80::1%"));
    assertNull(IpAddress.parse("fec0::1%eth0"));
    assertNull(IpAddress.parse("::1%lo"));
    assertNull(IpAddress.parse("169.254.1.1%eth0"));
    assertNull(IpAddress.parse("%fe80::1"));
  }

  @Test
  void aMappedAddressIsAnIpv4Address() {
    assertEquals(IpAddress.parse("10.1.2.3"), parsed("::ffff:10.1.2.3").unmapped());
    assertEquals(IpAddress.parse("10.1.2.3"), parsed("0:0:0:0:0:FFFF:a01:203").unmapped());
    for (String other :
        new String[] {"::10.1.2.3", "::fffe:10.1.2.3", "1::ffff:10.1.2.3", "1.2.3.4"}) {
      assertEquals(parsed(other), parsed(other).unmapped());
    }
  }

  @Test
  void prefixesAreComparedBitByBitWithinAFamily() {
    IpAddress address = parsed("2001:db8::8000:0:0:1");
    assertTrue(address.sharesPrefix(address, 128));
    assertTrue(address.sharesPrefix(parsed("2001:db8::"), 64));
    assertFalse(address.sharesPrefix(parsed("2001:db8::"), 65));
    assertTrue(address.sharesPrefix(parsed("2001:db8::8000:0:0:0"), 127));
    assertFalse(address.sharesPrefix(parsed("2001:db8::8000:0:0:0"), 128));
    assertFalse(address.sharesPrefix(parsed("a001:db8::"), 1));
    assertTrue(parsed("10.0.0.3").sharesPrefix(parsed("10.0.0.2"), 31));
    assertFalse(parsed("10.0.0.3").sharesPrefix(parsed("10.0.0.2"), 32));
    assertFalse(parsed("0.0.0.0").sharesPrefix(parsed("::"), 1));
  }

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0, 0",
    "128.0.0.0, 1",
    "255.255.240.0, 20",
    "255.255.255.255, 32",
    "255.0.255.0, -1",
    "0.0.0.1, -1",
    "254.255.0.0, -1",
    "::, 0",
    "ffc0::, 10",
    "ffff:ffff:ffff:ffff::, 64",
    "ffff:ffff:ffff:ffff:8000::, 65",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, 128",
    "ffff::1, -1",
    "::ffff, -1"
  })
  void aNetmaskHasItsOneBitsFirst(String text, int length) {
    assertEquals(length, parsed(text).maskLength());
  }

  @Test
  void addressesWrittenByTheJdkAreParsed() throws Exception {
    Random random = new Random(7);
    for (int i = 0; i < 2000; i++) {
      byte[] bytes = new byte[i % 2 == 0 ? 4 : 16];
      random.nextBytes(bytes);
      IpAddress address = parsed(InetAddress.getByAddress(bytes).getHostAddress());
      ByteBuffer bits = ByteBuffer.allocate(16).putLong(address.high()).putLong(address.low());
      assertEquals(ByteBuffer.wrap(bytes), bits.flip().limit(bytes.length));
    }
    assertNotEquals(parsed("::1"), parsed("0.0.0.1"));
  }

  @Test
  void longTextsAreRejectedInLinearTime() {
    int length = 1_000_000;
    String[] texts = {
      "1".repeat(length),
      ".".repeat(length),
      ":".repeat(length),
      "1:".repeat(length / 2),
      "::" + "1.".repeat(length / 2),
      "1::".repeat(length / 3),
      "%".repeat(length) + ":"
    };
    assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () -> {
          for (String text : texts) {
            assertNull(IpAddress.parse(text));
          }
        });
  }

  private static IpAddress parsed(String text) {
    @Nullable IpAddress address = IpAddress.parse(text);
    assertNotNull(address, text);
    return address;
  }
}

package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrustTest {

  @Test
  void falseNullAndTheEmptyListTrustNothing() {
    for (@Nullable Object setting : Arrays.asList(false, null, List.of(), 0, 0.0, -3, Double.NaN)) {
      Trust trust = Trust.of(setting);
      assertFalse(trust.trusts("127.0.0.1", 0), () -> "by " + setting);
      assertFalse(trust.trusts("", 7), () -> "by " + setting);
    }
  }

  @Test
  void trueTrustsEverythingEvenInvalidAddresses() {
    assertTrue(Trust.of(true).trusts("203.0.113.9", 0));
    assertTrue(Trust.of(true).trusts("unknown", 1000));
    assertTrue(Trust.of(true).trusts("", 0));
  }

  @Test
  void aNumberTrustsThatManyHopsWhateverTheirAddress() {
    Trust three = Trust.of(3);
    assertTrue(three.trusts("junk", 0));
    assertTrue(three.trusts("", 2));
    assertFalse(three.trusts("127.0.0.1", 3));
    assertFalse(Trust.of(1L).trusts("127.0.0.1", 1));
    assertTrue(Trust.of(1.5).trusts("x", 1));
    assertFalse(Trust.of(1.5).trusts("x", 2));
    assertTrue(Trust.of(Long.MAX_VALUE).trusts("x", Integer.MAX_VALUE));
  }

  @Test
  void aTrustIsUsedAsItIs() {
    Trust own = (address, hop) -> address.equals("a") && hop == 1;
    assertSame(own, Trust.of(own));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10.0.0.1                    | 10.0.0.1        | 10.0.0.2",
        "10.0.0.1, 10.0.0.3          | 10.0.0.3        | 10.0.0.2",
        "10.0.0.1,10.0.0.3           | 10.0.0.3        | 10.0.0.13",
        "10.0.0.1   ,   10.0.0.3     | 10.0.0.3        | 10.0.0.31",
        "10.20.30.40/8               | 10.255.255.255  | 11.0.0.0",
        "10.0.0.0/9                  | 10.127.0.1      | 10.128.0.1",
        "192.0.2.4/30                | 192.0.2.7       | 192.0.2.8",
        "192.0.2.4/030               | 192.0.2.7       | 192.0.2.3",
        "192.0.2.5/32                | 192.0.2.5       | 192.0.2.4",
        "128.0.0.0/1                 | 200.1.1.1       | 127.255.255.255",
        "10.0.0.0/255.128.0.0        | 10.127.0.1      | 10.128.0.1",
        "172.16.0.0/255.255.255.255  | 172.16.0.0      | 172.16.0.1",
        "2001:db8::/32               | 2001:DB8:1::7   | 2001:db9::",
        "2001:db8::/33               | 2001:db8:7fff:: | 2001:db8:8000::",
        "2001:db8::1                 | 2001:db8:0::1   | 2001:db8::2",
        "fd00::/ffff:ff00::          | fd00:ab::1      | fd00:100::1",
        "::ffff:10.0.0.0/104         | 10.9.9.9        | 11.9.9.9",
        "::ffff:a00:0/104            | ::ffff:10.9.9.9 | ::10.9.9.9",
        "::ffff:10.0.0.7             | 10.0.0.7        | 10.0.0.8",
        "::ffff:10.0.0.7/128         | 10.0.0.7        | 10.0.0.6",
        "10.0.0.0/8                  | ::ffff:10.1.2.3 | ::ffff:11.1.2.3",
        "10.0.0.0/8                  | ::FFFF:a01:203  | ::a01:203",
        "::/8                        | ::ffff:10.1.2.3 | 10.1.2.3",
        "loopback                    | 127.200.0.1     | 128.0.0.1",
        "loopback                    | ::1             | ::2",
        "loopback                    | 0:0:0:0:0:0:0:1 | ::",
        "loopback                    | ::ffff:127.0.0.1| ::127.0.0.1",
        "linklocal                   | 169.254.255.1   | 169.255.0.1",
        "linklocal                   | febf::1         | fec0::1",
        "linklocal                   | fe80::1%eth0    | fe80::1%",
        "uniquelocal                 | 10.1.1.1        | 9.1.1.1",
        "uniquelocal                 | 172.31.0.1      | 172.32.0.1",
        "uniquelocal                 | 192.168.255.255 | 192.169.0.0",
        "uniquelocal                 | fdff::           | fe00::",
        "loopback, uniquelocal, 8.8.8.8 | 8.8.8.8      | 169.254.0.1",
      })
  void textNamesAddressesSubnetsAndRanges(String setting, String inside, String outside) {
    Trust trust = Trust.of(setting);
    assertTrue(trust.trusts(inside, 9));
    assertFalse(trust.trusts(outside, 0));
  }

  @Test
  void aListIsLikeText() {
    Trust trust = Trust.of(List.of("loopback", "10.0.0.0/30"));
    assertTrue(trust.trusts("127.0.0.1", 0));
    assertTrue(trust.trusts("10.0.0.3", 1));
    assertFalse(trust.trusts("10.0.0.4", 1));
    assertTrue(Trust.of(new LinkedHashSet<>(List.of("::1", "1.1.1.1"))).trusts("1.1.1.1", 0));
  }

  @Test
  void theSettingIsReadOnceWhenItIsCompiled() {
    String[] subnets = {"10.0.0.0/8"};
    Trust trust = Trust.of(Arrays.asList(subnets));
    subnets[0] = "11.0.0.0/8";
    assertTrue(trust.trusts("10.0.0.1", 0));
    assertFalse(trust.trusts("11.0.0.1", 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "unknown",
        "localhost",
        "127.0.0.1:80",
        "[::1]",
        "127.1",
        "2130706433",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "127.0.0.1,127.0.0.1",
        "127.0.0.1/8",
        "loopback",
        "::1/128",
        "127.0.0.01"
      })
  void invalidAddressesAreInNoSubnet(String address) {
    assertFalse(Trust.of("128.0.0.0/1, 0.0.0.0/1, ::/1, 8000::/1, loopback").trusts(address, 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nonsense            | nonsense",
        "''                  | ''",
        "10.0.0              | 10.0.0",
        "10.0.0.256/8        | 10.0.0.256",
        "Loopback            | Loopback",
        "loopback/8          | loopback",
        "loopback,,10.0.0.1  | ''",
        "10.0.0.1;10.0.0.2   | 10.0.0.1;10.0.0.2",
        "/8                  | ''",
        "10.0.0.0/8/8        | 10.0.0.0/8",
        "010.0.0.1           | 010.0.0.1",
        "::1::               | ::1::",
        "fe80::1%eth0        | fe80::1%eth0",
        "[::1]/128           | [::1]",
        "10.0.0.0 /8         | '10.0.0.0 '",
        "127.0.0.1, example.com | example.com",
      })
  void invalidAddressesAreNamedWithoutTheirPrefix(String setting, String address) {
    assertEquals("\"" + address + "\" is not an IP address", rejection(setting));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.0/33",
        "10.0.0.0/0",
        "10.0.0.0/",
        "10.0.0.0/x",
        "10.0.0.0/-1",
        "10.0.0.0/+8",
        "10.0.0.0/8.0",
        "10.0.0.0/ 8",
        "10.0.0.0/255.0.255.0",
        "10.0.0.0/0.0.0.0",
        "10.0.0.0/0.0.0.255",
        "10.0.0.0/255.0.0",
        "10.0.0.0/ffff::",
        "10.0.0.0/99999999999999999999",
        "10.0.0.0/4294967304",
        "::1/129",
        "::1/0",
        "::1/255.0.0.0",
        "::1/0xff",
        "2001:db8::/ffff::1",
        "::ffff:10.0.0.0/96",
        "::ffff:10.0.0.0/8",
        "::ffff:10.0.0.0/129",
        "::ffff:10.0.0.0/255.0.0.0",
        "10.0.0.0/٨"
      })
  void invalidSubnetsAreNamedWithTheirAddress(String setting) {
    assertEquals("\"" + setting + "\" is not a subnet", rejection(setting));
    assertEquals("\"" + setting + "\" is not a subnet", rejection(List.of("loopback", setting)));
  }

  @Test
  void otherValuesAreRejected() {
    assertEquals(
        "must be true, false, a number of hops, addresses or a function, was {}",
        rejection(Map.of()));
    assertEquals("\"7\" is not an IP address", rejection(List.of(7)));
    assertEquals("\"null\" is not an IP address", rejection(Arrays.asList("loopback", null)));
    assertEquals(
        "\"10.0.0.1, 10.0.0.2\" is not an IP address", rejection(List.of("10.0.0.1, 10.0.0.2")));
  }

  private static String rejection(Object setting) {
    return assertThrows(IllegalArgumentException.class, () -> Trust.of(setting)).getMessage();
  }
}

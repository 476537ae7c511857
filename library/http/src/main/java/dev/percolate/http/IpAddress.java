package dev.percolate.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An IP address as bits; those of an IPv4 address are the highest.
 *
 * <p>Parsing (RFC 4291 section 2.2, RFC 4007 section 11) is stricter than in {@link
 * java.net.InetAddress}. Names are not looked up. Octal, hexadecimal and shortened IPv4 addresses
 * are rejected, because programs read them differently.
 */
record IpAddress(int length, long high, long low) {
  static final int V4_LENGTH = 32;
  static final int V6_LENGTH = 128;

  private static final int GROUPS = 8;

  /** Returns true if a text is an IPv6 address, full or compressed, without a zone. */
  static boolean isV6(String text) {
    return text.indexOf(':') >= 0 && text.indexOf('%') < 0 && parse(text) != null;
  }

  /** Parses an address; returns null if it is invalid. */
  static @Nullable IpAddress parse(String text) {
    if (text.indexOf(':') < 0) {
      long bits = v4(text);
      return bits < 0 ? null : new IpAddress(V4_LENGTH, bits << 32, 0);
    }
    int zone = text.indexOf('%');
    if (zone < 0) {
      return v6(text);
    }
    IpAddress address = v6(text.substring(0, zone));
    boolean named = zone + 1 < text.length();
    return address != null && named && address.isLinkLocal() ? address : null;
  }

  /** Returns the IPv4 address of an IPv4-mapped IPv6 address, else this address. */
  IpAddress unmapped() {
    boolean mapped = length == V6_LENGTH && high == 0 && low >>> 32 == 0xFFFF;
    return mapped ? new IpAddress(V4_LENGTH, low << 32, 0) : this;
  }

  /** Returns true if the first bits are equal to those of an address of the same family. */
  boolean sharesPrefix(IpAddress other, int bits) {
    if (length != other.length) {
      return false;
    }
    long highMask = mask(Math.min(bits, 64));
    long lowMask = mask(Math.max(bits - 64, 0));
    return ((high ^ other.high) & highMask) == 0 && ((low ^ other.low) & lowMask) == 0;
  }

  /**
   * Returns the length of a netmask: the number of one bits if all zero bits follow them, else -1.
   */
  int maskLength() {
    int bits = Long.bitCount(high) + Long.bitCount(low);
    return high == mask(Math.min(bits, 64)) && low == mask(Math.max(bits - 64, 0)) ? bits : -1;
  }

  /** Returns the first address of the /64 network of this IPv6 address. */
  IpAddress network() {
    return new IpAddress(length, high, 0);
  }

  /** Returns true for a link-local address. */
  boolean isLinkLocal() {
    return high >>> 54 == 0xFE80 >> 6;
  }

  private static long mask(int bits) {
    return bits == 0 ? 0 : -1L << (64 - bits);
  }

  private static long v4(String text) {
    String[] parts = text.split("\\.", -1);
    long bits = 0;
    for (String part : parts) {
      int octet = part.length() > 1 && part.charAt(0) == '0' ? -1 : number(part, 10, 3);
      if (octet < 0 || octet > 255) {
        return -1;
      }
      bits = bits << 8 | octet;
    }
    return parts.length == 4 ? bits : -1;
  }

  private static @Nullable IpAddress v6(String text) {
    int gap = text.indexOf("::");
    List<Integer> groups = groups(gap < 0 ? text : text.substring(0, gap), gap < 0);
    List<Integer> tail = gap < 0 ? List.of() : groups(text.substring(gap + 2), true);
    if (groups == null || tail == null) {
      return null;
    }
    int zeros = GROUPS - groups.size() - tail.size();
    if (gap < 0 ? zeros != 0 : zeros < 1) {
      return null;
    }
    groups.addAll(Collections.nCopies(zeros, 0));
    groups.addAll(tail);
    return ofGroups(groups);
  }

  private static IpAddress ofGroups(List<Integer> groups) {
    long high = 0;
    long low = 0;
    for (int i = 0; i < GROUPS / 2; i++) {
      high = high << 16 | groups.get(i);
      low = low << 16 | groups.get(i + GROUPS / 2);
    }
    return new IpAddress(V6_LENGTH, high, low);
  }

  /**
   * Returns the groups between colons; null if one is invalid. The last may be an IPv4 address,
   * which is two groups.
   */
  private static @Nullable List<Integer> groups(String text, boolean last) {
    List<Integer> groups = new ArrayList<>(GROUPS);
    String[] parts = text.isEmpty() ? new String[0] : text.split(":", -1);
    for (int i = 0; i < parts.length; i++) {
      int group = number(parts[i], 16, 4);
      long bits = group < 0 && last && i == parts.length - 1 ? v4(parts[i]) : -1;
      if (bits >= 0) {
        groups.add((int) (bits >>> 16));
        groups.add((int) (bits & 0xFFFF));
      } else if (group >= 0) {
        groups.add(group);
      } else {
        return null;
      }
    }
    return groups;
  }

  /** Returns a number in ASCII digits; -1 if it is invalid or has too many digits. */
  private static int number(String text, int radix, int most) {
    int value = text.isEmpty() || text.length() > most ? -1 : 0;
    for (int i = 0; value >= 0 && i < text.length(); i++) {
      int digit = Ascii.hexDigit(text.charAt(i));
      value = digit < 0 || digit >= radix ? -1 : radix * value + digit;
    }
    return value;
  }
}

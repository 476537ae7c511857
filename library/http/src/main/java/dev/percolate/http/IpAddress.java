package dev.percolate.http;

import java.util.ArrayList;
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
    long bits = 0;
    int start = 0;
    for (int i = 0; i < 4; i++) {
      int dot = text.indexOf('.', start);
      if ((dot < 0) != (i == 3)) {
        return -1;
      }
      int part = octet(text, start, i < 3 ? dot : text.length());
      if (part < 0) {
        return -1;
      }
      bits = bits << 8 | part;
      start = dot + 1;
    }
    return bits;
  }

  private static int octet(String text, int start, int end) {
    if (end == start || end - start > 3 || (end - start > 1 && text.charAt(start) == '0')) {
      return -1;
    }
    int value = 0;
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      value = 10 * value + c - '0';
    }
    return value > 255 ? -1 : value;
  }

  private static @Nullable IpAddress v6(String text) {
    int gap = text.indexOf("::");
    List<Integer> groups = new ArrayList<>(GROUPS);
    if (gap < 0) {
      return addGroups(text, true, groups) && groups.size() == GROUPS ? ofGroups(groups) : null;
    }
    List<Integer> tail = new ArrayList<>(GROUPS);
    boolean wellFormed =
        (gap == 0 || addGroups(text.substring(0, gap), false, groups))
            && (gap + 2 == text.length() || addGroups(text.substring(gap + 2), true, tail));
    if (!wellFormed || groups.size() + tail.size() >= GROUPS) {
      return null;
    }
    while (groups.size() + tail.size() < GROUPS) {
      groups.add(0);
    }
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

  /** Adds the groups between colons. The last may be an IPv4 address, which is two groups. */
  private static boolean addGroups(String text, boolean last, List<Integer> groups) {
    int start = 0;
    while (groups.size() < GROUPS) {
      int colon = text.indexOf(':', start);
      int end = colon < 0 ? text.length() : colon;
      int group = group(text, start, end);
      long bits = group < 0 && colon < 0 && last ? v4(text.substring(start)) : -1;
      if (bits >= 0) {
        groups.add((int) (bits >>> 16));
        groups.add((int) (bits & 0xFFFF));
        return true;
      }
      if (group < 0) {
        return false;
      }
      groups.add(group);
      if (colon < 0) {
        return true;
      }
      start = colon + 1;
    }
    return false;
  }

  private static int group(String text, int start, int end) {
    if (end == start || end - start > 4) {
      return -1;
    }
    int value = 0;
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      int digit = c < 0x80 ? Character.digit(c, 16) : -1; // ASCII digits only
      if (digit < 0) {
        return -1;
      }
      value = value << 4 | digit;
    }
    return value;
  }
}

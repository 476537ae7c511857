package dev.percolate.engine.tests;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Creates PROXY protocol headers, as Latin-1 text. */
public final class ProxyHeaders {

  /** The first 12 bytes of version 2. */
  public static final String SIGNATURE = "\r\n\r\n\0\r\nQUIT\n";

  /** Version 2, command PROXY. */
  public static final int PROXY = 0x21;

  /** Version 2, command LOCAL. */
  public static final int LOCAL = 0x20;

  private ProxyHeaders() {}

  /** Returns a header of version 1 for a client. */
  public static String v1(String client) {
    String family = client.indexOf(':') < 0 ? "TCP4 " : "TCP6 ";
    String server = client.indexOf(':') < 0 ? "192.0.2.9" : "2001:db8::9";
    return "PROXY " + family + client + " " + server + " 50000 443\r\n";
  }

  /** Returns a header of version 2 for a client, with extensions after its addresses. */
  public static String v2(String client, String extensions) {
    byte[] address;
    try {
      address = InetAddress.getAllByName(client)[0].getAddress();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
    String addresses = new String(address, ISO_8859_1).repeat(2) + "\u00c3P\u0001\u00bb";
    return v2(PROXY, address.length == 4 ? 0x11 : 0x21, addresses + extensions);
  }

  /** Returns a header of version 2 with any command, family and rest. */
  public static String v2(int command, int family, String rest) {
    String length = "" + (char) (rest.length() >> 8) + (char) (rest.length() & 0xff);
    return SIGNATURE + (char) command + (char) family + length + rest;
  }

  /** Returns an extension. */
  public static String extension(int type, String value) {
    return "" + (char) type + (char) (value.length() >> 8) + (char) (value.length() & 0xff) + value;
  }

  /** Sets the checksum in a header that has an extension of four zeros for it at the end. */
  public static String withChecksum(String header) {
    byte[] bytes = header.getBytes(ISO_8859_1);
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, bytes.length);
    ByteBuffer.wrap(bytes).putInt(bytes.length - 4, (int) sum.getValue());
    return new String(bytes, ISO_8859_1);
  }
}

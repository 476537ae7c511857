package dev.percolate.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Valid and invalid frames of clients, by the sections of RFC 6455 and RFC 7692. */
final class FrameCases {

  /** The maximum size of a message and of a frame, in bytes. */
  static final int MOST = 70_000;

  private static final byte[] KEY = {0x37, (byte) 0xFA, 0x21, 0x3D};

  private final List<Case> cases = new ArrayList<>();

  /**
   * A case.
   *
   * @param name the section and a description
   * @param compression whether compression is negotiated
   * @param expected the messages and the end that the server must read
   */
  @SuppressWarnings("ArrayRecordComponent") // cases are never compared
  record Case(String name, byte[] bytes, boolean compression, String expected) {}

  private FrameCases() {}

  static List<Case> all() {
    FrameCases all = new FrameCases();
    all.messages();
    all.reserved();
    all.masks();
    all.lengths();
    all.fragments();
    all.controls();
    all.closes();
    all.utf8();
    all.compressed();
    return all.cases;
  }

  /** Returns a masked frame with the shortest form of its length. */
  static byte[] frame(int first, byte[] payload) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(first);
    if (payload.length <= 125) {
      out.write(0x80 | payload.length);
    } else if (payload.length <= 0xFFFF) {
      out.write(0xFE);
      out.write(payload.length >> 8);
      out.write(payload.length);
    } else {
      out.write(0xFF);
      for (int shift = 56; shift >= 0; shift -= 8) {
        out.write((int) ((long) payload.length >> shift));
      }
    }
    out.writeBytes(KEY);
    for (int i = 0; i < payload.length; i++) {
      out.write(payload[i] ^ KEY[i % 4]);
    }
    return out.toByteArray();
  }

  static byte[] frame(int first, String text) {
    return frame(first, text.getBytes(StandardCharsets.UTF_8));
  }

  private void add(String name, String expected, byte[]... frames) {
    add(name, false, expected, frames);
  }

  private void add(String name, boolean compression, String expected, byte[]... frames) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] frame : frames) {
      out.writeBytes(frame);
    }
    cases.add(new Case(name, out.toByteArray(), compression, expected));
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }

  private void messages() {
    add("5.6 text", "text Hello; goes on", frame(0x81, "Hello"));
    add("5.6 binary", "bytes 00ff7f; goes on", frame(0x82, new byte[] {0, -1, 127}));
    add("5.6 binary may be invalid UTF-8", "bytes c080; goes on", frame(0x82, hex("c080")));
    add("5.6 empty text", "text ; goes on", frame(0x81, ""));
    add("5.6 empty binary", "bytes ; goes on", frame(0x82, ""));
    add(
        "5.6 several messages",
        "text a; bytes 62; text c; goes on",
        frame(0x81, "a"),
        frame(0x82, "b"),
        frame(0x81, "c"));
    add("5.7 the example of the standard", "text Hello; goes on", hex("818537fa213d7f9f4d5158"));
    for (int size : new int[] {124, 125, 126, 127, 128, 255, 256, 4095, 65535, 65536, 70000}) {
      add("5.2 text, " + size, "text " + size + " bytes; goes on", frame(0x81, "x".repeat(size)));
      add("5.2 binary, " + size, "bytes " + size + " bytes; goes on", frame(0x82, new byte[size]));
    }
  }

  private void reserved() {
    for (int bits : new int[] {0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70}) {
      for (int opcode : new int[] {1, 2, 8, 9, 10}) {
        add(
            "5.2 reserved bits " + Integer.toHexString(bits) + " with opcode " + opcode,
            "fails with 1002: a reserved bit is set",
            frame(0x80 | bits | opcode, ""));
      }
    }
    for (int opcode : new int[] {3, 4, 5, 6, 7, 11, 12, 13, 14, 15}) {
      add(
          "5.2 the opcode " + opcode + " is reserved",
          "text a; fails with 1002: unknown opcode",
          frame(0x81, "a"),
          frame(0x80 | opcode, ""));
      add(
          "5.2 the opcode " + opcode + " in a fragment is reserved",
          "fails with 1002: unknown opcode",
          frame(opcode, "a"));
    }
  }

  private void masks() {
    for (int first : new int[] {0x81, 0x82, 0x01, 0x88, 0x89, 0x8A}) {
      add(
          "5.1 frame without a mask, " + Integer.toHexString(first),
          "fails with 1002: frame must be masked",
          new byte[] {(byte) first, 0});
    }
    add("5.3 mask of zeros", "text Hi; goes on", hex("81820000000048 69"));
    add("5.3 mask of ones", "text Hi; goes on", hex("8182ffffffffb796"));
  }

  private void lengths() {
    String long16 = "fails with 1002: frame length is not in its shortest form";
    for (String length : List.of("0000", "0001", "007d")) {
      add("5.2 short length in 16 bits, " + length, long16, hex("82fe" + length));
      add("5.2 short length in 64 bits, " + length, long16, hex("82ff000000000000" + length));
    }
    add("5.2 length of 16 bits in 64 bits", long16, hex("82ff000000000000ffff"));
    for (String length :
        List.of("8000000000000000", "ffffffffffffffff", "8000000000000001", "c000000000000000")) {
      add(
          "5.2 length with the highest bit, " + length,
          "fails with 1002: frame length exceeds 63 bits",
          hex("82ff" + length));
    }
    for (String length : List.of("7fffffffffffffff", "0000000100000000", "0000000000011171")) {
      add(
          "7.4.1 too long frame, rejected before its payload, " + length,
          "fails with 1009: frame exceeds the byte limit of " + MOST,
          hex("82ff" + length));
    }
    add("5.2 incomplete frame", "goes on", hex("828437fa213d00"));
    add(
        "7.4.1 fragments that together exceed the limit",
        "fails with 1009: message exceeds the byte limit of " + MOST,
        frame(0x02, new byte[60_000]),
        hex("80fe271137fa213d"));
  }

  private void fragments() {
    add("5.4 two fragments", "text Hello; goes on", frame(0x01, "Hel"), frame(0x80, "lo"));
    add(
        "5.4 many fragments",
        "bytes 616263; goes on",
        frame(0x02, "a"),
        frame(0x00, "b"),
        frame(0x00, "c"),
        frame(0x80, ""));
    add("5.4 empty fragments", "text ; goes on", frame(0x01, ""), frame(0x80, ""));
    add(
        "5.4 a message after fragments",
        "text ab; text c; goes on",
        frame(0x01, "a"),
        frame(0x80, "b"),
        frame(0x81, "c"));
    add(
        "5.5 control frames between fragments",
        "text ping p; pong q; ab; goes on",
        frame(0x01, "a"),
        frame(0x89, "p"),
        frame(0x8A, "q"),
        frame(0x80, "b"));
    add(
        "5.5.1 close between fragments",
        "text close 1000 ; over",
        frame(0x01, "a"),
        frame(0x88, hex("03e8")),
        frame(0x80, "b"));
    for (int first : new int[] {0x00, 0x80}) {
      add(
          "5.4 continuation without a message, " + first,
          "fails with 1002: continuation frame without a message",
          frame(first, "a"));
      add(
          "5.4 continuation after a complete message, " + first,
          "text a; fails with 1002: continuation frame without a message",
          frame(0x81, "a"),
          frame(first, "b"));
    }
    for (int first : new int[] {0x01, 0x02, 0x81, 0x82}) {
      add(
          "5.4 a message within another, " + first,
          "fails with 1002: previous message is not complete",
          frame(0x01, "a"),
          frame(first, "b"));
    }
    byte[][] endless = new byte[1100][];
    for (int i = 0; i < endless.length; i++) {
      endless[i] = frame(i == 0 ? 0x01 : 0x00, "");
    }
    add("5.4 endless empty fragments", "fails with 1008: too many empty fragments", endless);
    byte[][] growing = new byte[71][];
    for (int i = 0; i < growing.length; i++) {
      growing[i] = frame(i == 0 ? 0x02 : 0x00, new byte[1000]);
    }
    add(
        "5.4 endless fragments with content",
        "fails with 1009: message exceeds the byte limit of " + MOST,
        growing);
  }

  private void controls() {
    for (int opcode : new int[] {8, 9, 10}) {
      add(
          "5.5 fragmented control frame, " + opcode,
          "fails with 1002: fragmented control frame",
          frame(opcode, ""));
      for (String length : List.of("fe007e", "feffff", "ff0000000000010000")) {
        add(
            "5.5 control frame of more than 125 bytes, " + opcode + " " + length,
            "fails with 1002: control frame exceeds 125 bytes",
            hex(Integer.toHexString(0x80 | opcode) + length));
      }
    }
    for (int size : new int[] {0, 1, 8, 125}) {
      String payload = "p".repeat(size);
      String shown = size > 100 ? size + " bytes" : payload;
      add("5.5.2 ping of " + size, "ping " + shown + "; goes on", frame(0x89, payload));
      add("5.5.3 pong of " + size, "pong " + shown + "; goes on", frame(0x8A, payload));
    }
    add(
        "5.5.2 many pings",
        "ping a; ping b; ping c; text d; goes on",
        frame(0x89, "a"),
        frame(0x89, "b"),
        frame(0x89, "c"),
        frame(0x81, "d"));
  }

  private void closes() {
    add("5.5.1 close without a code", "close 1005 ; over", frame(0x88, ""));
    add(
        "5.5.1 nothing is read after a close",
        "close 1000 ; over",
        frame(0x88, hex("03e8")),
        frame(0x81, "a"),
        hex("ffff"));
    add("5.5.1 close with a reason", "close 1000 bye ü; over", close(1000, "bye ü"));
    add(
        "5.5.1 close with half a code",
        "fails with 1002: invalid close code",
        frame(0x88, hex("03")));
    int[] sent = {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014};
    for (int code : sent) {
      add("7.4.1 close code " + code, "close " + code + " ; over", close(code, ""));
    }
    for (int code : new int[] {3000, 3999, 4000, 4999}) {
      add("7.4.2 close code " + code, "close " + code + " ; over", close(code, ""));
    }
    int[] invalid = {0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535};
    for (int code : invalid) {
      add(
          "7.4 close code " + code + " is invalid",
          "fails with 1002: invalid close code",
          close(code, ""));
    }
    for (String reason : List.of("80", "c3", "c0af", "eda080", "f4908080", "61ff")) {
      add(
          "5.5.1 reason with invalid UTF-8, " + reason,
          "fails with 1007: close reason must be UTF-8",
          frame(0x88, hex("03e8" + reason)));
    }
    add(
        "5.5 reason of 123 bytes",
        "close 1000 " + "r".repeat(123) + "; over",
        close(1000, "r".repeat(123)));
  }

  private static byte[] close(int code, String reason) {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    byte[] payload = new byte[2 + text.length];
    payload[0] = (byte) (code >> 8);
    payload[1] = (byte) code;
    System.arraycopy(text, 0, payload, 2, text.length);
    return frame(0x88, payload);
  }

  private void utf8() {
    for (String text :
        List.of(
            "ü",
            "€",
            "😀",
            "\u0000",
            "\u007f",
            "\u0080",
            "\u07ff",
            "\u0800",
            "\ud7ff",
            "\ue000",
            "\ufffd",
            "\uffff",
            "\ud800\udc00",
            "\udbff\udfff",
            "κόσμε",
            "Hello-µ@ßöäüàá-UTF-8!!")) {
      add(
          "8.1 well-formed " + HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)),
          "text " + text + "; goes on",
          frame(0x81, text));
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      for (int cut = 1; cut < Math.min(bytes.length, 6); cut++) {
        add(
            "5.6 character in two fragments, " + HexFormat.of().formatHex(bytes) + " at " + cut,
            "text " + text + "; goes on",
            frame(0x01, java.util.Arrays.copyOf(bytes, cut)),
            frame(0x80, java.util.Arrays.copyOfRange(bytes, cut, bytes.length)));
      }
    }
    List<String> illFormed =
        List.of(
            "80",
            "bf",
            "c0",
            "c1",
            "c080",
            "c1bf",
            "c320",
            "e080",
            "e08080",
            "e09fbf",
            "eda080",
            "edbfbf",
            "ed9f",
            "f080",
            "f0808080",
            "f08fbfbf",
            "f4908080",
            "f5",
            "f8888080",
            "fc",
            "fe",
            "ff",
            "c3",
            "e282",
            "f09f98",
            "cebae1bdb9cf83cebcceb5eda080656469746564",
            "c3c3",
            "e282e2",
            "61ff",
            "f48fbfbfff");
    for (String bytes : illFormed) {
      add(
          "8.1 text with invalid UTF-8, " + bytes,
          "fails with 1007: text must be UTF-8",
          frame(0x81, hex(bytes)));
      byte[] all = hex(bytes);
      if (all.length > 1) {
        add(
            "8.1 fragmented text with invalid UTF-8, " + bytes,
            "fails with 1007: text must be UTF-8",
            frame(0x01, java.util.Arrays.copyOf(all, 1)),
            frame(0x00, ""),
            frame(0x80, java.util.Arrays.copyOfRange(all, 1, all.length)));
      }
    }
    add(
        "8.1 invalid UTF-8 is detected before the end of the message",
        "fails with 1007: text must be UTF-8",
        frame(0x01, hex("61c0")));
  }

  private void compressed() {
    byte[] hello = hex("f248cdc9c90700");
    add("RFC 7692 7.2.3.1 message", true, "text compressed " + HELLO, frame(0xC1, hello));
    add(
        "RFC 7692 7.2.3.1 fragmented message, with the bit in the first fragment",
        true,
        "text compressed " + HELLO,
        frame(0x41, hex("f248cd")),
        frame(0x80, hex("c9c90700")));
    add("RFC 7692 6 uncompressed message", true, "text a; goes on", frame(0x81, "a"));
    add(
        "RFC 7692 6 compression bit in a continuation",
        true,
        "fails with 1002: a reserved bit is set",
        frame(0x01, "a"),
        frame(0xC0, "b"));
    for (int opcode : new int[] {8, 9, 10}) {
      add(
          "RFC 7692 6 compression bit in a control frame, " + opcode,
          true,
          "fails with 1002: a reserved bit is set",
          frame(0xC0 | opcode, ""));
    }
    add(
        "RFC 7692 6 compression bit with another reserved bit",
        true,
        "fails with 1002: a reserved bit is set",
        frame(0xE1, hello));
  }

  private static final String HELLO =
      new String(hex("f248cdc9c90700"), StandardCharsets.UTF_8) + "; goes on";
}

package dev.percolate.engine.tests;

import java.util.ArrayList;
import java.util.List;

/**
 * Requests that differ from a valid one in one place, by rules: an invalid byte, another line
 * ending, or another number format.
 */
@SuppressWarnings("StringConcatToTextBlock") // a text block would hide the CR LF
final class Mutations {

  private static final String END = "\r\n";
  private static final String HEAD = "POST /x HTTP/1.1\r\nHost: a\r\n";
  private static final String LENGTH = HEAD + "Content-Length: 5\r\n";
  private static final String CHUNKED = HEAD + "Transfer-Encoding: chunked\r\n";
  private static final String SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String REFUSED = "400|414|501|505 enters 0: ";
  private static final String FAILED = "400 enters 1: ";

  private final List<MalformedRequest> made = new ArrayList<>();

  private Mutations() {}

  static List<MalformedRequest> all() {
    Mutations mutations = new Mutations();
    mutations.bytesOfHeads();
    mutations.bytesOfBodies();
    mutations.endsOfLines();
    mutations.lengths();
    mutations.sizes();
    mutations.extensions();
    return mutations.made;
  }

  /** Inserts each invalid byte at each place of a head. */
  private void bytesOfHeads() {
    for (char c = 0; c < 256; c++) {
      boolean control = (c < ' ' && c != '\t') || c == 0x7f;
      String hex = "%02x ".formatted((int) c);
      if (!isTokenByte(c)) {
        head("ENG-13", hex + "in a name", HEAD + "X" + c + "Y: 1\r\n\r\n", c != ':');
        head("REQ-05", hex + "in a method", "G" + c + "T /x HTTP/1.1\r\nHost: a\r\n\r\n", c != ' ');
      }
      if (control) {
        head("ENG-13", hex + "in a value", HEAD + "X: 1" + c + "2\r\n\r\n", true);
        head("ENG-13", hex + "before a value", HEAD + "X: " + c + "1\r\n\r\n", c != '\r');
        head("ENG-13", hex + "after a value", HEAD + "X: 1" + c + "\r\n\r\n", c != '\n');
        head("ENG-10", hex + "before a colon", HEAD + "X" + c + ": 1\r\n\r\n", true);
        head("ENG-05", hex + "in a length", HEAD + "Content-Length: " + c + "5\r\n\r\nabcde", true);
        head("ENG-08", hex + "before chunked", coding(c + "chunked"), true);
        head("ENG-08", hex + "after chunked", coding("chunked" + c), true);
        head("REQ-02", hex + "in a host", "GET /x HTTP/1.1\r\nHost: a" + c + "b\r\n\r\n", true);
        head("ENG-18", hex + "before it", c + LENGTH + "\r\nabcde", c != '\r');
      }
      if (c <= ' ' || c > '~') {
        head("REQ-04", hex + "in a target", "GET /" + c + "x HTTP/1.1\r\nHost: a\r\n\r\n", true);
      }
      if (c < '0' || c > '9') {
        head("ENG-24", hex + "in a version", "GET /x HTTP/1." + c + "\r\nHost: a\r\n\r\n", true);
        head(
            "ENG-05",
            hex + "in a length, after a digit",
            HEAD + "Content-Length: 5" + c + "5\r\n\r\nabcde",
            true);
      }
    }
  }

  /** Inserts each invalid byte at each place of a chunked body. */
  private void bytesOfBodies() {
    for (char c = 0; c < 256; c++) {
      String hex = "%02x ".formatted((int) c);
      if (Character.digit(c, 16) < 0 || c > 'f') {
        body("ENG-14", hex + "for a size", c + "\r\nZ\r\n0\r\n\r\n");
        if (c != ';') {
          body("ENG-14", hex + "in a size", "1" + c + "0\r\n0123456789abcdef\r\n0\r\n\r\n");
        }
      }
      if (c != '\r') {
        body("ENG-15", hex + "after a chunk", "1\r\nZ" + c + "\n0\r\n\r\n");
      }
      if (!isTokenByte(c) && c != ';') {
        body("ENG-16", hex + "in the value of an extension", chunk("1;a=b" + c + "b"));
        if (c != '=') {
          body("ENG-16", hex + "in an extension", chunk("1;a" + c + "b"));
        }
      }
      if ((c < ' ' && c != '\t') || c == 0x7f) {
        body("ENG-16", hex + "in quotes", chunk("1;a=\"b" + c + "\""));
        body("ENG-17", hex + "in a trailer", "0\r\nX: 1" + c + "2\r\n\r\n");
        body("ENG-17", hex + "in a trailer's name", "0\r\nX" + c + "Y: 1\r\n\r\n");
      }
    }
  }

  /** Replaces the end of each line of a request. */
  private void endsOfLines() {
    for (String end : List.of("\n", "\r", "\r\r\n", "\n\r", "\r\n\r", "\0\r\n", "\u000b\r\n")) {
      String name = "lines that end with " + hex(end);
      String target = "GET /x HTTP/1.1" + end;
      head("ENG-13", name + ", the first", target + "Host: a\r\nX: 1\r\n\r\n", true);
      head(
          "ENG-13", name + ", a header", "GET /x HTTP/1.1\r\nHost: a" + end + "X: 1\r\n\r\n", true);
      head("ENG-13", name + ", the last header", HEAD + "X: 1" + end + END, true);
      boolean beginsRight = end.startsWith(END);
      head("ENG-13", name + ", the head", HEAD + "X: 1\r\n" + end, !beginsRight);
      body("ENG-15", name + ", a size", "1" + end + "Z\r\n0\r\n\r\n");
      body("ENG-15", name + ", a chunk", "1\r\nZ" + end + "0\r\n\r\n");
      body("ENG-15", name + ", the last size", "0" + end + END);
      body("ENG-16", name + ", an extension", "1;a" + end + "Z\r\n0\r\n\r\n");
      body("ENG-17", name + ", a trailer", "0\r\nX: 1" + end + END);
      if (!beginsRight) {
        body("ENG-17", name + ", the trailers", "0\r\n" + end);
      }
    }
  }

  /** Writes lengths in other formats, and several lengths. */
  private void lengths() {
    for (String length : List.of("5", "0", "35")) {
      for (String sign : List.of("+", "-", "0x", "0X", "#", "\"", "'", "$", "\u00a0", "=", "~")) {
        head("ENG-05", sign + " before " + length, length(sign + length), true);
      }
      for (String tail : List.of("+", "-", "h", "L", ".", ".0", ",", ";", " 5", "\t5", "e0", "_")) {
        head("ENG-05", hex(tail) + " after " + length, length(length + tail), true);
      }
      for (String second : List.of("0", "5", "35", "05", "+5", "x", "")) {
        String two = length(length + "\r\nContent-Length: " + second);
        head("ENG-04", "two lengths, " + length + " and " + second, two, true);
        head("ENG-04", length + " and " + second + " in one", length(length + "," + second), true);
      }
      String both = "\r\nTransfer-Encoding: chunked";
      head("ENG-01", "chunks after " + length, length(length + both), true);
    }
  }

  /** Writes the size of a chunk in other formats. */
  private void sizes() {
    for (String size : List.of("1", "0", "23")) {
      for (String sign : List.of("+", "-", "0x", "0X", " ", "\t", "#", "\"", "x", "h", "\u00a0")) {
        body("ENG-14", hex(sign) + " before " + size, sign + size + "\r\nZ\r\n0\r\n\r\n");
      }
      for (String tail : List.of("h", "x", ".", "_0", ",", "-", "+", " 0", "\u00a0", "\0")) {
        body("ENG-14", hex(tail) + " after " + size, size + tail + "\r\nZ\r\n0\r\n\r\n");
      }
    }
    for (int digits = 9; digits < 40; digits++) {
      body("ENG-14", digits + " digits of a size", "f".repeat(digits) + "\r\nZ\r\n0\r\n\r\n");
      body("ENG-14", digits + " digits, a 1", "1" + "0".repeat(digits - 1) + "\r\nZ\r\n0\r\n\r\n");
    }
  }

  /** Writes invalid extensions after the size of a chunk. */
  private void extensions() {
    for (String line :
        List.of("1 ", "1\t", "1;", "1; ", "1;;a", "1;a=", "1;a=;b", "1;a ", "1;=b")) {
      body("ENG-16", line, chunk(line));
      body("ENG-16", line + ", the last", "0" + line.substring(1) + "\r\n\r\n");
    }
    for (String line : List.of("1;a=\"b", "1;a=\"b\"c", "1;a=b\"c\"", "1;a=\"b\\\"", "1;\"a\"")) {
      body("ENG-16", line, chunk(line));
    }
    for (String fold : List.of(" ", "\t")) {
      body("ENG-17", hex(fold) + " before a trailer", "0\r\nX: 1\r\n" + fold + "2\r\n\r\n");
      body("ENG-17", hex(fold) + " and no trailer", "0\r\nX:\r\n" + fold + "\r\n\r\n");
    }
  }

  private static String chunk(String line) {
    return line + "\r\nZ\r\n0\r\n\r\n";
  }

  private void head(String row, String name, String bytes, boolean malformed) {
    if (malformed) {
      made.add(MalformedRequest.of(row + " " + REFUSED + name, bytes));
    }
  }

  private void body(String row, String name, String chunks) {
    String bytes = CHUNKED + END + chunks + SMUGGLED;
    made.add(MalformedRequest.of(row + " " + FAILED + name, bytes));
  }

  private static String coding(String coding) {
    return HEAD + "Transfer-Encoding: " + coding + "\r\n\r\n0\r\n\r\n";
  }

  private static String length(String length) {
    return HEAD + "Content-Length: " + length + "\r\n\r\n" + SMUGGLED;
  }

  private static boolean isTokenByte(char c) {
    boolean letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    return letter || (c >= '0' && c <= '9') || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
  }

  private static String hex(String text) {
    StringBuilder hex = new StringBuilder();
    text.chars().forEach(c -> hex.append("%02x ".formatted(c)));
    return hex.toString().strip();
  }
}

package dev.percolate.logger;

import java.util.LinkedHashMap;
import java.util.Map;

/** Parses logfmt strictly by its grammar: all other text is an error. */
final class Logfmt {

  private final String line;
  private int at;

  private Logfmt(String line) {
    this.line = line;
  }

  static Map<String, String> read(String line) {
    return new Logfmt(line).pairs();
  }

  private Map<String, String> pairs() {
    Map<String, String> pairs = new LinkedHashMap<>();
    while (at < line.length()) {
      int equals = line.indexOf('=', at);
      String name = line.substring(at, equals);
      at = equals + 1;
      String value = at < line.length() && line.charAt(at) == '"' ? quoted() : bare();
      if (!name.matches("[A-Za-z0-9_.@-]+") || pairs.put(name, value) != null) {
        throw new AssertionError("name \"" + name + "\" in " + line);
      }
      if (at < line.length() && line.charAt(at++) != ' ') {
        throw new AssertionError("no blank at " + (at - 1) + " of " + line);
      }
    }
    return pairs;
  }

  private String bare() {
    int end = line.indexOf(' ', at);
    String value = line.substring(at, end < 0 ? line.length() : end);
    at += value.length();
    if (!value.matches("[!#-<>-\\[\\]-~]+")) {
      throw new AssertionError("bare \"" + value + "\" in " + line);
    }
    return value;
  }

  private String quoted() {
    StringBuilder value = new StringBuilder();
    for (at++; line.charAt(at) != '"'; at++) {
      char c = line.charAt(at);
      if (c < ' ') {
        throw new AssertionError("control in " + line);
      }
      value.append(c == '\\' ? escape() : c);
    }
    at++;
    return value.toString();
  }

  private char escape() {
    char c = line.charAt(++at);
    if (c == 'u') {
      at += 4;
      return (char) Integer.parseInt(line.substring(at - 3, at + 1), 16);
    }
    return "\"\\\b\f\n\r\t".charAt("\"\\bfnrt".indexOf(c));
  }
}

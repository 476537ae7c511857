package dev.percolate.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Generates values of {@code Content-Type} and {@code Cookie}, most of them unusual. */
final class HeaderTexts {

  private static final String[] TYPES = {
    "application/json",
    "text/plain",
    "application/x-www-form-urlencoded",
    "Application/JSON",
    "application/vnd.api+json",
    "application/octet-stream",
    "text/html",
    "image/svg+xml",
    "*/*",
    "json",
    "application/",
    "application/+json",
    "a/b/c",
    "a/b, c/d",
    "text/plain ",
    " text/plain",
    "",
    "multipart/form-data",
    "application/json5",
    "text/*",
    "a b/c",
    "-a/b",
    "a/.b",
    "x/y.z+json"
  };
  private static final String[] CHARSETS = {
    "utf-8",
    "UTF-8",
    "utf8",
    "iso-8859-1",
    "ISO-8859-1",
    "latin1",
    "us-ascii",
    "utf-16",
    "utf-16le",
    "utf-16be",
    "utf-32",
    "utf-32le",
    "utf-32be",
    "ucs2",
    "windows-1252",
    "windows-1250",
    "cp1251",
    "1253",
    "windows-1255",
    "windows-1258",
    "koi8-r",
    "koi8-u",
    "iso-8859-2",
    "iso-8859-15",
    "latin5",
    "latin9",
    "iso_8859-1:1987",
    "macintosh",
    "macroman",
    "maccyrillic",
    "cp437",
    "cp850",
    "cp866",
    "ibm852",
    "cp858",
    "windows-874",
    "tis-620",
    "utf-9",
    "utf-",
    "",
    "bogus",
    "utf8mb4",
    "unicode",
    "cp037",
    "iso-2022-jp",
    "x-mac-cyrillic",
    "'utf-8'",
    "utf-8,",
    "utf_8"
  };
  private static final String[] OPTIONS = {
    "application/json",
    "+json",
    "json",
    "text/*",
    "*/*",
    "urlencoded",
    "multipart",
    "html",
    ".json",
    "package.json",
    "*/json",
    "application/*",
    "image/*",
    "application/*+json",
    "*",
    "imag*/png",
    "unknown-extension",
    "text",
    "a/b/c",
    "application/*-stream",
    "Application/JSON",
    "+xml",
    "svg"
  };
  private static final String[] COOKIES = {
    "a",
    "b",
    "c",
    "=",
    "=",
    ";",
    "; ",
    ",",
    " ",
    "\"",
    "%20",
    "%C3%A9",
    "%zz",
    "%",
    "s:",
    "j:",
    "{\"a\":1}",
    "[1]",
    "null",
    "\\",
    "s:tobi.DGJ3%2BJkQR",
    "$Path",
    "__proto__",
    "1",
    "\t",
    "+"
  };

  private HeaderTexts() {}

  /** Generates a content type, often based on the given one. */
  static String type(SplittableRandom random, String usual) {
    StringBuilder text = new StringBuilder();
    text.append(random.nextInt(4) > 0 ? usual : pick(random, TYPES));
    int parameters = random.nextInt(3);
    for (int i = 0; i < parameters; i++) {
      text.append(random.nextInt(8) == 0 ? " ; " : ";").append(random.nextBoolean() ? " " : "");
      text.append(random.nextInt(6) == 0 ? "Charset" : random.nextInt(8) == 0 ? "x" : "charset");
      text.append(random.nextInt(12) == 0 ? " = " : random.nextInt(20) == 0 ? "" : "=");
      text.append(value(random));
    }
    return text.toString();
  }

  private static String value(SplittableRandom random) {
    String charset = random.nextInt(3) == 0 ? "utf-8" : pick(random, CHARSETS);
    return switch (random.nextInt(14)) {
      case 0 -> '"' + charset + '"';
      case 1 -> '"' + charset;
      case 2 -> "\"\\" + charset + "\"x";
      case 3 -> "\";" + charset + '"';
      case 4 -> charset + "; charset=utf-16";
      default -> charset;
    };
  }

  static List<String> options(SplittableRandom random) {
    List<String> options = new ArrayList<>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      options.add(pick(random, OPTIONS));
    }
    return options;
  }

  static String cookie(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    int count = random.nextInt(14);
    for (int i = 0; i < count; i++) {
      text.append(pick(random, COOKIES));
    }
    return text.toString();
  }

  private static String pick(SplittableRandom random, String[] from) {
    return from[random.nextInt(from.length)];
  }
}

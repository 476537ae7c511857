package dev.percolate.conformance;

import java.util.SplittableRandom;

/** Generates JSON and almost valid JSON. Each character is one byte of UTF-8. */
final class JsonTexts {

  private static final String[] SCALARS = {
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "-1",
    "1.0",
    "1e0",
    "1E+2",
    "1e-7",
    "0.1",
    "123456789",
    "9007199254740993",
    "-9007199254740993",
    "1e21",
    "123456789012345678901234567890",
    "1e400",
    "-1e400",
    "1e-400",
    "5e-324",
    "2.2250738585072014e-308",
    "1.7976931348623157e308",
    "0.000001",
    "0.3",
    "4.35",
    "1e23",
    "100000000000000000000000",
    "\"\"",
    "\"a\"",
    "\"\\u0041\"",
    "\"\\ud83d\\ude00\"",
    "\"\\ud800\"",
    "\"\\udc00\\ud800\"",
    "\"\\\\\\\"\\/\\b\\f\\n\\r\\t\"",
    "\"\u00c3\u00a9\"",
    "\"\u00f0\u009f\u0098\u0080\"",
    "\"\u007f\"",
    "\"\u00e2\u0080\u00a8\"",
    "\"\\u0000\"",
    "[]",
    "{}"
  };
  private static final String[] NAMES = {
    "a",
    "b",
    "a",
    "",
    "__proto__",
    "constructor",
    "toString",
    "0",
    "1",
    "10",
    "01",
    "\\u0061",
    "\u00c3\u00a9",
    "length"
  };
  private static final String[] ODD = {
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "'",
    "\\",
    "/",
    "//",
    "/**/",
    "-",
    "+",
    ".",
    "e",
    "0",
    "1",
    "NaN",
    "Infinity",
    "undefined",
    "nul",
    "tru",
    "\t",
    "\n",
    "\r",
    " ",
    "\u0000",
    "\u0001",
    "\u001f",
    "\u000b",
    "\f",
    "\u00c2\u00a0",
    "\u00ef\u00bb\u00bf",
    "\u00e2\u0080\u00a8",
    "\u00ff",
    "\u00c0\u00af",
    "\\u12",
    "\\x41",
    "\\u00e9",
    "01",
    ".5",
    "1.",
    "1e",
    "1e+",
    "--1",
    "0x10"
  };
  private static final String[] SPACES = {"", "", "", "", "", "", " ", "\n", "\t", "\r\n", "  "};

  private JsonTexts() {}

  static String make(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    text.append(random.nextInt(30) == 0 ? "\u00ef\u00bb\u00bf" : "");
    append(text, random, random.nextInt(5));
    int edits = random.nextInt(5) - 2;
    for (int i = 0; i < edits; i++) {
      edit(text, random);
    }
    return text.toString();
  }

  private static void append(StringBuilder text, SplittableRandom random, int depth) {
    text.append(space(random));
    int kind = depth == 0 ? 0 : random.nextInt(5);
    int count = random.nextInt(4);
    if (kind == 0) {
      text.append(pick(random, SCALARS));
    } else if (kind < 3) {
      text.append('[');
      for (int i = 0; i < count; i++) {
        text.append(i == 0 ? "" : ",");
        append(text, random, depth - 1);
      }
      text.append(']');
    } else {
      text.append('{');
      for (int i = 0; i < count; i++) {
        text.append(i == 0 ? "" : ",").append(space(random));
        text.append('"').append(pick(random, NAMES)).append('"').append(space(random)).append(':');
        append(text, random, depth - 1);
      }
      text.append('}');
    }
    text.append(space(random));
  }

  private static void edit(StringBuilder text, SplittableRandom random) {
    int at = random.nextInt(text.length() + 1);
    int end = Math.min(text.length(), at + random.nextInt(3));
    switch (random.nextInt(3)) {
      case 0 -> text.delete(at, end);
      case 1 -> text.insert(at, pick(random, ODD));
      default -> text.replace(at, end, pick(random, ODD));
    }
  }

  private static String space(SplittableRandom random) {
    return pick(random, SPACES);
  }

  private static String pick(SplittableRandom random, String[] from) {
    return from[random.nextInt(from.length)];
  }
}

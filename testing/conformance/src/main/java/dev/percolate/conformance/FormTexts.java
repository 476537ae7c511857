package dev.percolate.conformance;

import java.util.SplittableRandom;

/** Generates forms and queries, most of them unusual. */
final class FormTexts {

  private static final String[] WORDS = {
    "a",
    "b",
    "c",
    "",
    "a",
    "b",
    "0",
    "1",
    "2",
    "5",
    "01",
    "-1",
    "1.5",
    "99",
    "100",
    "101",
    "150",
    "2000",
    "4294967295",
    "9007199254740991",
    "9007199254740992",
    "9007199254740993",
    "__proto__",
    "toString",
    "hasOwnProperty",
    "constructor",
    "length",
    "utf8",
    " ",
    "+",
    "%20",
    "%41",
    "%2B",
    "%26",
    "%3D",
    "%5B",
    "%5D",
    "%5b",
    "%5d",
    "%255B",
    "%zz",
    "%",
    "%c3%a9",
    "%C3",
    "%c0%af",
    "%ed%a0%80",
    "%f0%9f%98%80",
    "%f4%90%80%80",
    "%00",
    "&#65;",
    "&#9786;",
    "&#x41;",
    "&#1114112;",
    "&#;",
    "%26%239786%3B",
    "%26%2365%3B",
    ";",
    ",",
    ".",
    "\u00e9",
    "\u00c3\u00a9",
    "]",
    "[",
    "[]"
  };
  private static final String[] SOUP = {
    "a", "b", "1", "0", "[", "]", "[", "]", "=", "&", "%5B", "%5D", "+", "%", "]=", "[]"
  };
  private static final String[] SENTINELS = {
    "utf8=%E2%9C%93", "utf8=%26%2310003%3B", "utf8=x", "utf8", "utf8=%e2%9c%93", "utf8=", "xutf8=1"
  };

  private FormTexts() {}

  static String make(SplittableRandom random) {
    return switch (random.nextInt(16)) {
      case 0 -> soup(random);
      case 1 -> many(random);
      case 2 -> deep(random);
      default -> parts(random);
    };
  }

  private static String soup(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(24);
    for (int i = 0; i < length; i++) {
      text.append(pick(random, SOUP));
    }
    return text.toString();
  }

  private static String parts(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      text.append(i == 0 ? "" : "&");
      text.append(random.nextInt(12) == 0 ? pick(random, SENTINELS) : part(random));
    }
    return text.toString();
  }

  private static String part(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    // Few different names, so that they repeat.
    text.append(random.nextInt(4) > 0 ? "a" : pick(random, WORDS));
    int groups = random.nextInt(4);
    for (int i = 0; i < groups; i++) {
      text.append(random.nextInt(25) == 0 ? "" : "[");
      text.append(random.nextInt(4) == 0 ? "" : pick(random, WORDS));
      text.append(random.nextInt(25) == 0 ? "" : "]");
      text.append(random.nextInt(30) == 0 ? pick(random, WORDS) : "");
    }
    if (random.nextInt(10) > 0) {
      text.append('=').append(random.nextInt(3) == 0 ? pick(random, WORDS) : "x");
      text.append(random.nextInt(6) == 0 ? pick(random, WORDS) : "");
    }
    return text.toString();
  }

  private static String many(SplittableRandom random) {
    String[] names = {part(random), part(random)};
    StringBuilder text = new StringBuilder();
    int count = 15 + random.nextInt(100);
    for (int i = 0; i < count; i++) {
      text.append(i == 0 ? "" : "&").append(random.nextInt(20) == 0 ? part(random) : names[i % 2]);
    }
    return text.toString();
  }

  private static String deep(SplittableRandom random) {
    StringBuilder text = new StringBuilder("a");
    int groups = random.nextInt(40);
    for (int i = 0; i < groups; i++) {
      text.append('[').append(random.nextInt(3) == 0 ? pick(random, WORDS) : "b").append(']');
    }
    return text.append("=x&").append(part(random)).toString();
  }

  private static String pick(SplittableRandom random, String[] from) {
    return from[random.nextInt(from.length)];
  }
}

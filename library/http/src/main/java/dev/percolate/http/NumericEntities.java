package dev.percolate.http;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Decodes decimal character references in form values. */
final class NumericEntities {
  private static final Pattern REFERENCE = Pattern.compile("&#([0-9]+);");

  private NumericEntities() {}

  /** Decodes complete references only. Of a number above U+10FFFF, the low 16 bits count. */
  static String interpret(String text) {
    if (!text.contains("&#")) {
      return text; // a form may have 100,000 values
    }
    return REFERENCE
        .matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement(character(found.group(1))));
  }

  private static String character(String digits) {
    int low = 0;
    int value = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(i) - '0';
      low = (10 * low + digit) & 0xFFFF;
      value = Math.min(10 * value + digit, Character.MAX_CODE_POINT + 1);
    }
    return Character.toString(value > Character.MAX_CODE_POINT ? low : value);
  }
}

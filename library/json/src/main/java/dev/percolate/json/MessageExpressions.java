package dev.percolate.json;

import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the expressions in constraint messages, such as {@code ${inclusive == true ? 'or equal
 * to ' : ''}}, without an EL library. It supports the expressions in standard messages: an
 * attribute, the value, and a choice between two texts. Other expressions are removed, so that
 * clients never see one.
 */
final class MessageExpressions {

  private static final Pattern EXPRESSION = Pattern.compile("\\$\\{([^{}]*)}");
  private static final Pattern NAME = Pattern.compile("\\s*(\\w+)\\s*");

  private static final Pattern CHOICE =
      Pattern.compile(
          "\\s*(\\w+)\\s*(?:==\\s*(true|false)\\s*)?\\?\\s*(['\"])(.*?)\\3\\s*:"
              + "\\s*(['\"])(.*?)\\5\\s*");

  private static final int LONGEST_VALUE = 100;

  private MessageExpressions() {}

  /**
   * Returns a message without expressions.
   *
   * @param attributes the attributes of the constraint
   * @param value the validated value
   */
  static String evaluate(
      String message, Map<String, @Nullable Object> attributes, @Nullable Object value) {
    if (!message.contains("${")) {
      return message;
    }
    return EXPRESSION
        .matcher(message)
        .replaceAll(found -> Matcher.quoteReplacement(text(found.group(1), attributes, value)));
  }

  private static String text(
      String expression, Map<String, @Nullable Object> attributes, @Nullable Object value) {
    Matcher name = NAME.matcher(expression);
    if (name.matches()) {
      String text = named(name.group(1), attributes, value);
      return text.length() > LONGEST_VALUE ? text.substring(0, LONGEST_VALUE) + "…" : text;
    }
    Matcher choice = CHOICE.matcher(expression);
    if (!choice.matches()) {
      return "";
    }
    String wanted = Objects.requireNonNullElse(choice.group(2), "true");
    boolean holds = named(choice.group(1), attributes, value).equals(wanted);
    return holds ? choice.group(4) : choice.group(6);
  }

  private static String named(
      String name, Map<String, @Nullable Object> attributes, @Nullable Object value) {
    Object found = name.equals("validatedValue") ? value : attributes.get(name);
    return found == null ? "" : found.toString();
  }
}

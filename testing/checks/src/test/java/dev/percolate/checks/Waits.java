package dev.percolate.checks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the waits of 100 ms or more in the source of a test: pauses of the test, and timeouts of
 * the tested code, if their time is a constant.
 *
 * <p>Longer times are limits, which a test reaches only when it fails: a minute for a pause, five
 * seconds for a timeout. Waits for an event have no constant time, and are not found.
 */
final class Waits {

  private static final long LEAST = 100;
  private static final long LIMIT_OF_PAUSES = TimeUnit.MINUTES.toMillis(1);
  private static final long LIMIT_OF_TIMEOUTS = TimeUnit.SECONDS.toMillis(5);

  /** Text blocks, comments, strings and characters. */
  private static final Pattern NO_CODE =
      Pattern.compile(
          "\"\"\"[\\s\\S]*?\"\"\"|/\\*[\\s\\S]*?\\*/|//[^\\n]*"
              + "|\"(?:[^\"\\\\\\n]++|\\\\.)*+\"|'(?:[^'\\\\\\n]++|\\\\.)*+'");

  private static final Pattern CONSTANT =
      Pattern.compile("\\b(?:int|long|Duration)\\s+(\\w+)\\s*=\\s*([^;]+);");

  private static final String UNIT = "((?:NANO|MICRO|MILLI)?SECONDS)";
  private static final Pattern PAUSE =
      Pattern.compile("\\b(?:Thread|" + UNIT + ")\\s*\\.\\s*sleep\\s*(?=\\()");
  private static final Pattern PARK = Pattern.compile("\\bparkNanos\\s*(?=\\()");
  private static final Pattern DELAY =
      Pattern.compile("\\b(?:delayedExecutor|completeOnTimeout)\\s*(?=\\()");
  private static final Pattern JOIN = Pattern.compile("\\.\\s*join\\s*(?=\\()");
  private static final Pattern TIMED =
      Pattern.compile("\\.\\s*(?:await|poll|get|tryAcquire)\\s*(?=\\()");
  private static final Pattern TIMEOUT = Pattern.compile("\\.\\s*\\w*(?:Timeout|Delay)\\s*(?=\\()");
  private static final Pattern OF_TIMEOUT = Pattern.compile("\\bTimeout\\s*\\.\\s*of\\s*(?=\\()");

  private static final Pattern NUMBER = Pattern.compile("\\d[\\d_]*L?");
  private static final Pattern TEXT = Pattern.compile("\"(\\d+) ?(ms|s)\"");
  private static final Pattern DURATION =
      Pattern.compile("Duration\\s*\\.\\s*of(Millis|Seconds)\\(([^()]+)\\)");
  private static final Pattern MULTIPLE = Pattern.compile("(.+)\\.\\s*multipliedBy\\((.+)\\)");
  private static final Pattern OF_UNIT =
      Pattern.compile("(?:TimeUnit\\s*\\.\\s*)?" + UNIT + "\\s*\\.\\s*to(Nano|Milli)s\\((.+)\\)");
  private static final Pattern OF_DURATION = Pattern.compile("(.+)\\.\\s*to(Nano|Milli)s\\(\\)");
  private static final Pattern CHOICE = Pattern.compile("[^?]*\\?([^:]+):(.+)");

  private final String code;
  private final Map<String, String> constants = new HashMap<>();

  /**
   * A call that may wait.
   *
   * @param unit the unit before its name; null if there is none
   */
  private record Call(String name, @Nullable String unit, List<String> arguments) {

    String argument(int fromLast) {
      return arguments.get(arguments.size() - 1 - fromLast);
    }

    @Override
    public String toString() {
      return name + "(" + String.join(", ", arguments) + ")";
    }
  }

  private Waits(String source) {
    this.code =
        NO_CODE
            .matcher(source)
            .replaceAll(token -> TEXT.matcher(token.group()).matches() ? token.group() : "");
    Set<String> ambiguous = new HashSet<>();
    Matcher constant = CONSTANT.matcher(code);
    while (constant.find()) {
      String before = constants.put(constant.group(1), constant.group(2));
      if (before != null && !before.equals(constant.group(2))) {
        ambiguous.add(constant.group(1));
      }
    }
    constants.keySet().removeAll(ambiguous);
  }

  /** Returns the waits in a source, each as it is written, with its time in milliseconds. */
  static List<String> in(String source) {
    Waits waits = new Waits(source);
    List<String> found = new ArrayList<>();
    waits.add(found, PAUSE, LIMIT_OF_PAUSES, waits::pause);
    waits.add(found, PARK, LIMIT_OF_PAUSES, call -> quotient(waits.number(call.argument(0)), 1e6));
    waits.add(found, DELAY, LIMIT_OF_TIMEOUTS, waits::timed);
    waits.add(found, JOIN, LIMIT_OF_TIMEOUTS, call -> waits.number(call.argument(0)));
    waits.add(found, TIMED, LIMIT_OF_TIMEOUTS, waits::inMillis);
    waits.add(found, TIMEOUT, LIMIT_OF_TIMEOUTS, call -> waits.duration(call.argument(0)));
    waits.add(found, OF_TIMEOUT, LIMIT_OF_TIMEOUTS, waits::timeout);
    return found;
  }

  /**
   * Adds the calls whose time is a wait.
   *
   * @param time computes the time of a call in milliseconds; null if it is not a constant
   */
  private void add(
      List<String> found, Pattern calls, long limit, Function<Call, @Nullable Double> time) {
    Matcher place = calls.matcher(code);
    while (place.find()) {
      String unit = place.groupCount() > 0 ? place.group(1) : null;
      Call call = new Call(place.group().replaceAll("\\s", ""), unit, arguments(place.end()));
      Double millis = time.apply(call);
      if (millis != null && millis >= LEAST && millis < limit) {
        found.add(call + ": " + millis.longValue() + " ms");
      }
    }
  }

  /** Returns the arguments of the call whose opening parenthesis is at an index. */
  private List<String> arguments(int open) {
    List<String> arguments = new ArrayList<>();
    int depth = 0;
    int begin = open + 1;
    for (int at = open; at < code.length() && (at == open || depth > 0); at++) {
      char c = code.charAt(at);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth == 0 || (depth == 1 && c == ',')) {
        arguments.add(code.substring(begin, at).strip());
        begin = at + 1;
      }
    }
    return arguments;
  }

  private @Nullable Double pause(Call call) {
    return inUnit(call.argument(0), call.unit() == null ? "MILLISECONDS" : call.unit());
  }

  /** Returns the time of a call that ends with a number and its unit. */
  private @Nullable Double timed(Call call) {
    String unit = call.argument(0).replaceFirst("TimeUnit\\s*\\.\\s*", "");
    boolean ends = call.arguments().size() > 1 && unit.matches(UNIT);
    return ends ? inUnit(call.argument(1), unit) : null;
  }

  /** Returns the time of such a call if its unit is milliseconds: times in seconds are limits. */
  private @Nullable Double inMillis(Call call) {
    return call.argument(0).endsWith("MILLISECONDS") ? timed(call) : null;
  }

  private @Nullable Double timeout(Call call) {
    Double written = duration(call.argument(0));
    return written == null ? number(call.argument(0)) : written;
  }

  private @Nullable Double inUnit(String expression, String unit) {
    return product(number(expression), TimeUnit.valueOf(unit).toNanos(1) / 1e6);
  }

  /** Returns a duration in milliseconds; null if it is not a constant. */
  private @Nullable Double duration(String expression) {
    Matcher written = TEXT.matcher(expression);
    if (written.matches()) {
      return Double.parseDouble(written.group(1)) * (written.group(2).equals("s") ? 1000 : 1);
    }
    Matcher duration = DURATION.matcher(expression);
    if (duration.matches()) {
      return product(number(duration.group(2)), duration.group(1).equals("Seconds") ? 1e3 : 1);
    }
    Matcher multiple = MULTIPLE.matcher(expression);
    if (multiple.matches()) {
      return product(duration(multiple.group(1)), number(multiple.group(2)));
    }
    return constant(expression, this::duration);
  }

  /** Returns a number; null if it is not a constant. */
  private @Nullable Double number(String expression) {
    String text = expression.strip();
    if (NUMBER.matcher(text).matches()) {
      return Double.valueOf(text.replaceAll("[_L]", ""));
    }
    Matcher choice = CHOICE.matcher(text);
    if (choice.matches()) {
      Double one = number(choice.group(1));
      Double other = number(choice.group(2));
      return one == null || other == null ? null : Double.valueOf(Math.max(one, other));
    }
    int operator = Math.max(text.lastIndexOf(" * "), text.lastIndexOf(" / "));
    if (operator > 0) {
      Double left = number(text.substring(0, operator));
      Double right = number(text.substring(operator + 3));
      return text.charAt(operator + 1) == '*' ? product(left, right) : quotient(left, right);
    }
    Matcher ofUnit = OF_UNIT.matcher(text);
    if (ofUnit.matches()) {
      Double millis = inUnit(ofUnit.group(3), ofUnit.group(1));
      return product(millis, ofUnit.group(2).equals("Nano") ? 1e6 : 1);
    }
    Matcher ofDuration = OF_DURATION.matcher(text);
    if (ofDuration.matches()) {
      Double millis = duration(ofDuration.group(1).strip());
      return product(millis, ofDuration.group(2).equals("Nano") ? 1e6 : 1);
    }
    return constant(text, this::number);
  }

  private @Nullable Double constant(String name, Function<String, @Nullable Double> value) {
    String expression = constants.remove(name); // so that a circle of names ends
    if (expression == null) {
      return null;
    }
    Double found = value.apply(expression.strip());
    constants.put(name, expression);
    return found;
  }

  private static @Nullable Double product(@Nullable Double left, @Nullable Double right) {
    return left == null || right == null ? null : Double.valueOf(left * right);
  }

  private static @Nullable Double quotient(@Nullable Double left, @Nullable Double right) {
    return left == null || right == null ? null : Double.valueOf(left / right);
  }
}

package dev.percolate.http;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the constant that the value of a setting names. */
final class SettingValue {

  private SettingValue() {}

  /**
   * Returns the constant whose name in lower case is the value.
   *
   * @param setting the name of the setting, for the message
   * @param value the value; null for the first constant
   * @param constants all constants
   * @throws IllegalArgumentException for any other value
   */
  static <E extends Enum<E>> E of(String setting, @Nullable Object value, E[] constants) {
    List<String> names =
        Arrays.stream(constants).map(one -> one.name().toLowerCase(Locale.ROOT)).toList();
    int index = value == null ? 0 : names.indexOf(value);
    if (index < 0) {
      int last = names.size() - 1;
      String known = String.join(", ", names.subList(0, last)) + " or " + names.get(last);
      throw new IllegalArgumentException(
          "set(\"" + setting + "\", " + value + "): must be " + known);
    }
    return constants[index];
  }
}

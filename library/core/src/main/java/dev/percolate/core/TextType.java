package dev.percolate.core;

import java.time.DateTimeException;
import org.jspecify.annotations.Nullable;

/**
 * Reads values from a single string; if there are several, from the first.
 *
 * @param conversion converts the string
 * @param emptyCounts whether an empty string is a value, as for the type {@code String}
 */
record TextType(Conversion conversion, boolean emptyCounts) implements InputType {

  @Override
  public String wanted() {
    return conversion.wanted();
  }

  @Override
  public @Nullable Object read(Object sent, InputPath at, InputErrors errors) {
    Object first = InputType.first(sent);
    return first == null ? null : readOne(first, at, errors);
  }

  /** Reads a single value. */
  @Nullable Object readOne(Object sent, InputPath at, InputErrors errors) {
    if (sent.equals("") && !emptyCounts) {
      return null;
    }
    if (!(sent instanceof String text)) {
      return InputType.faulty(this, at, null, errors);
    }
    try {
      return conversion.reading().apply(text);
    } catch (IllegalArgumentException | DateTimeException e) {
      return InputType.faulty(this, at, text, errors);
    }
  }
}

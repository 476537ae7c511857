package dev.percolate.core;

import java.time.DateTimeException;
import org.jspecify.annotations.Nullable;

/**
 * Reads values that are a text each; of several the first.
 *
 * @param conversion reads them
 * @param emptyCounts whether empty text is a value, as it is where text is wanted
 */
record TextType(Conversion conversion, boolean emptyCounts) implements InputType {

  @Override
  public String wanted() {
    return conversion.wanted();
  }

  @Override
  public @Nullable Object read(Object sent, InputPath at, InputFaults faults) {
    Object first = InputType.first(sent);
    return first == null ? null : readOne(first, at, faults);
  }

  /** Reads the only value there is. */
  @Nullable Object readOne(Object sent, InputPath at, InputFaults faults) {
    if (sent.equals("") && !emptyCounts) {
      return null;
    }
    if (!(sent instanceof String text)) {
      return InputType.faulty(this, at, null, faults);
    }
    try {
      return conversion.reading().apply(text);
    } catch (IllegalArgumentException | DateTimeException e) {
      return InputType.faulty(this, at, text, faults);
    }
  }
}

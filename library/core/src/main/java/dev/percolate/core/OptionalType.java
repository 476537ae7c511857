package dev.percolate.core;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads values that may be absent.
 *
 * @param inner reads present values
 */
record OptionalType(InputType inner) implements InputType {

  @Override
  public String wanted() {
    return inner.wanted();
  }

  @Override
  public Object absent() {
    return Optional.empty();
  }

  @Override
  public @Nullable Object read(Object sent, InputPath at, InputFaults faults) {
    Object value = inner.read(sent, at, faults);
    return value == FAULTY ? FAULTY : Optional.ofNullable(value);
  }
}

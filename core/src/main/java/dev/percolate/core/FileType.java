package dev.percolate.core;

import org.jspecify.annotations.Nullable;

/**
 * Takes files as they are; of several the first.
 *
 * @param type their type
 */
record FileType(Class<?> type) implements InputType {

  @Override
  public String wanted() {
    return "a file";
  }

  @Override
  public @Nullable Object read(Object sent, InputPath at, InputFaults faults) {
    Object first = InputType.first(sent);
    if (first == null || first.equals("")) {
      return null;
    }
    return type.isInstance(first) ? first : InputType.faulty(this, at, null, faults);
  }
}

package dev.percolate.core;

import org.jspecify.annotations.Nullable;

/**
 * Reads files unchanged; the first if there are several.
 *
 * @param type the class of the files
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

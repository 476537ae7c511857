package dev.percolate.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Gives access to the field {@code state} of a class that changes it by atomic steps. */
final class StateField {

  private StateField() {}

  /**
   * Finds the field.
   *
   * @param owner the lookup of the class whose field it is
   * @param type the field's type
   */
  static VarHandle of(MethodHandles.Lookup owner, Class<?> type) {
    try {
      return owner.findVarHandle(owner.lookupClass(), "state", type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}

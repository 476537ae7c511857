package dev.percolate.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Finds the handle of a field of a class that changes it by atomic steps, as a rule its state. */
public final class StateField {

  private StateField() {}

  /**
   * Finds the field {@code state}.
   *
   * @param owner the lookup of the class whose field it is
   * @param type the field's type
   */
  public static VarHandle of(MethodHandles.Lookup owner, Class<?> type) {
    return of(owner, "state", type);
  }

  /**
   * Finds a field.
   *
   * @param owner the lookup of the class whose field it is
   * @param name the field's name
   * @param type the field's type
   */
  public static VarHandle of(MethodHandles.Lookup owner, String name, Class<?> type) {
    try {
      return owner.findVarHandle(owner.lookupClass(), name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}

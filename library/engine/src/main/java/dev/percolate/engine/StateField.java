package dev.percolate.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Creates handles for atomic access to fields, usually the state of a class. */
public final class StateField {

  private StateField() {}

  /**
   * Creates a handle for the field {@code state}.
   *
   * @param owner the lookup of the class that has the field
   * @param type the field's type
   */
  public static VarHandle of(MethodHandles.Lookup owner, Class<?> type) {
    return of(owner, "state", type);
  }

  /**
   * Creates a handle for a field.
   *
   * @param owner the lookup of the class that has the field
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

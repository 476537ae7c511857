package dev.percolate.conformance;

import dev.percolate.core.Middleware;
import dev.percolate.framework.ParamCallback;
import org.jspecify.annotations.Nullable;

/** A function that a scenario defines, or one that it is given. */
@FunctionalInterface
interface Routine {

  /**
   * Calls the function.
   *
   * @param args the arguments; those missing are undefined, further ones ignored
   * @return its value; {@link ScriptValues#UNDEFINED} for none
   */
  @Nullable Object call(@Nullable Object... args) throws Exception;

  /** Returns how many parameters it declares; -1 if that is unknown. */
  default int arity() {
    return -1;
  }

  /** Calls the function where Java allows unchecked exceptions only. */
  default @Nullable Object invoke(@Nullable Object... args) {
    try {
      return call(args);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the step that calls the function with its request, response and next. */
  default Middleware step() {
    return (req, res, next) -> {
      Object ignored = call(req, res, next);
    };
  }

  /** Returns the callback that calls the function with the arguments of one. */
  default ParamCallback paramCallback() {
    return (req, res, next, value, name) -> {
      Object ignored = call(req, res, next, value, name);
    };
  }

  /** Returns a value as the function that it is, or fails as a call of it does. */
  static Routine of(@Nullable Object value, String name) {
    if (value instanceof Routine function) {
      return function;
    }
    throw Errors.of(name + " is not a function");
  }
}

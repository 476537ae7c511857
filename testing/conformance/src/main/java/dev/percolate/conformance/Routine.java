package dev.percolate.conformance;

import dev.percolate.core.Middleware;
import dev.percolate.framework.ParamCallback;
import org.jspecify.annotations.Nullable;

/** A function that a scenario defines or receives. */
@FunctionalInterface
interface Routine {

  /**
   * Calls the function.
   *
   * @param args the arguments. Missing arguments are undefined, additional ones are ignored
   * @return the result; {@link ScriptValues#UNDEFINED} if there is none
   */
  @Nullable Object call(@Nullable Object... args) throws Exception;

  /** Returns the number of declared parameters; -1 if it is unknown. */
  default int arity() {
    return -1;
  }

  /** Calls the function where Java allows only unchecked exceptions. */
  default @Nullable Object invoke(@Nullable Object... args) {
    try {
      return call(args);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns middleware that calls the function with its request, response and next. */
  default Middleware step() {
    return (req, res, next) -> {
      Object ignored = call(req, res, next);
    };
  }

  /** Returns a param callback that calls the function with its arguments. */
  default ParamCallback paramCallback() {
    return (req, res, next, value, name) -> {
      Object ignored = call(req, res, next, value, name);
    };
  }

  /** Returns a value as a function, or throws the error of calling it. */
  static Routine of(@Nullable Object value, String name) {
    if (value instanceof Routine function) {
      return function;
    }
    throw Errors.of(name + " is not a function");
  }
}

package dev.percolate.vertx;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Makes virtual threads that a given executor carries, by a constructor that the JDK keeps to
 * itself.
 */
final class CarriedThreads {

  private static final String MODE = "threads(\"carried\"): ";

  /** Before this JDK, a monitor held while waiting pins the carrier, here the event loop. */
  private static final int FIRST_SAFE = 24;

  private static final @Nullable MethodHandle NEW;
  private static final @Nullable String REFUSAL;

  static {
    MethodHandle found = null;
    String refusal = null;
    if (Runtime.version().feature() < FIRST_SAFE) {
      refusal = MODE + "needs JDK 24 or later, this is " + Runtime.version().feature();
    } else {
      try {
        found = open();
      } catch (ReflectiveOperationException | InaccessibleObjectException e) {
        refusal = MODE + "needs the option --add-opens java.base/java.lang=" + opensTo() + " (" + e;
        refusal += ")";
      }
    }
    NEW = found;
    REFUSAL = refusal;
  }

  private CarriedThreads() {}

  /** Throws if this process cannot have them, saying why. */
  static void check() {
    if (REFUSAL != null) {
      throw new IllegalArgumentException(REFUSAL);
    }
  }

  static Thread create(Executor carrier, Runnable task) {
    MethodHandle create = NEW;
    if (create == null) {
      throw new IllegalStateException(REFUSAL);
    }
    try {
      return (Thread) create.invokeExact(carrier, (String) null, 0, task);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static MethodHandle open() throws ReflectiveOperationException {
    Method method =
        Class.forName("java.lang.ThreadBuilders")
            .getDeclaredMethod(
                "newVirtualThread", Executor.class, String.class, int.class, Runnable.class);
    method.setAccessible(true);
    return MethodHandles.lookup().unreflect(method);
  }

  private static String opensTo() {
    String module = CarriedThreads.class.getModule().getName();
    return module == null ? "ALL-UNNAMED" : module;
  }
}

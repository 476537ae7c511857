package dev.percolate.middleware;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** A string that is set during a call: a scoped value, or a thread local before JDK 25. */
abstract class ThreadText {

  static ThreadText create() {
    try {
      return Runtime.version().feature() < 25 ? new Local() : new Scoped();
    } catch (ReflectiveOperationException e) {
      return new Local();
    }
  }

  /** Returns the string; null outside of a call. */
  abstract @Nullable String get();

  /** Runs a task during which the string is set. */
  abstract void run(String text, Runnable inside);

  private static final class Local extends ThreadText {

    private final ThreadLocal<String> texts = new ThreadLocal<>();

    @Override
    @Nullable String get() {
      return texts.get();
    }

    @Override
    void run(String text, Runnable inside) {
      String before = texts.get();
      texts.set(text);
      try {
        inside.run();
      } finally {
        if (before == null) {
          texts.remove();
        } else {
          texts.set(before);
        }
      }
    }
  }

  /** Uses ScopedValue of JDK 25 by method handles, since the bytecode also runs on JDK 17. */
  private static final class Scoped extends ThreadText {

    private final MethodHandle where;
    private final MethodHandle run;
    private final MethodHandle orElse;

    Scoped() throws ReflectiveOperationException {
      Class<?> type = Class.forName("java.lang.ScopedValue");
      Class<?> carrier = Class.forName("java.lang.ScopedValue$Carrier");
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      Object value = type.getMethod("newInstance").invoke(null);
      MethodType ofWhere = MethodType.methodType(carrier, type, Object.class);
      where =
          lookup
              .findStatic(type, "where", ofWhere)
              .bindTo(value)
              .asType(MethodType.methodType(Object.class, Object.class));
      run =
          lookup
              .findVirtual(carrier, "run", MethodType.methodType(void.class, Runnable.class))
              .asType(MethodType.methodType(void.class, Object.class, Runnable.class));
      // Returns its argument, which must not be null, if the value is not bound.
      orElse =
          lookup
              .findVirtual(type, "orElse", MethodType.methodType(Object.class, Object.class))
              .bindTo(value);
    }

    @Override
    @Nullable String get() {
      try {
        Object found = (Object) orElse.invokeExact((Object) "");
        return "".equals(found) ? null : (String) found;
      } catch (Throwable e) {
        throw rethrown(e);
      }
    }

    @Override
    void run(String text, Runnable inside) {
      try {
        Object carrier = (Object) where.invokeExact((Object) text);
        run.invokeExact(carrier, inside);
      } catch (Throwable e) {
        throw rethrown(e);
      }
    }

    private static RuntimeException rethrown(Throwable thrown) {
      if (thrown instanceof Error error) {
        throw error;
      }
      return thrown instanceof RuntimeException known ? known : new IllegalStateException(thrown);
    }
  }
}

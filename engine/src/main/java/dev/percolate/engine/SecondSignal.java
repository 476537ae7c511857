package dev.percolate.engine;

import java.lang.System.Logger.Level;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends the process at once when it is asked to end a second time, while it still does what the
 * first time asked for. The JDK alone would let whoever is in a hurry wait.
 */
final class SecondSignal {

  private static final System.Logger LOG = System.getLogger("dev.percolate.engine");

  /** What shells add to the number of the signal that has ended a process. */
  private static final int SIGNALLED = 128;

  private static @Nullable Signals signals;

  private SecondSignal() {}

  /** The JDK's classes for handling signals. */
  private record Signals(Constructor<?> signal, Method number, Method handle, Object halt) {}

  /**
   * Loads the classes that {@link #await} needs, while files and memory suffice. A class that fails
   * to load later would stay missing.
   */
  static void load() {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Method number = signal.getMethod("getNumber");
      InvocationHandler halt =
          (proxy, method, given) -> {
            Runtime.getRuntime().halt(SIGNALLED + (int) number.invoke(given[0]));
            return null;
          };
      signals =
          new Signals(
              signal.getConstructor(String.class),
              number,
              signal.getMethod("handle", signal, handler),
              Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, halt));
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      SafeLog.log(
          LOG, Level.DEBUG, "a second TERM or INT signal will not end the process at once", e);
    }
  }

  /**
   * Installs handlers that end the process at once at the next TERM or INT signal. Does nothing if
   * the process belongs to a container, which still has to stop other applications.
   */
  static void await() {
    Signals known = signals;
    if (known == null || FatalErrorHandler.isProcessHosted()) {
      return;
    }
    for (String name : List.of("TERM", "INT")) {
      try {
        known.handle.invoke(null, known.signal.newInstance(name), known.halt);
      } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
        // this system has no such signal, or this JDK does not let it be seen
        SafeLog.log(
            LOG, Level.DEBUG, "a second TERM or INT signal will not end the process at once", e);
      }
    }
  }
}

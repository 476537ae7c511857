package dev.percolate.engine;

import java.util.List;
import java.util.ServiceLoader;

/** Finds what must be there exactly once on the class path or module path. */
public final class Providers {

  private Providers() {}

  /**
   * Returns the only provider of a service.
   *
   * @param type the service
   * @param loader finds its providers, made by the module that uses them
   * @param advice what to do if there is none
   * @param <T> the service
   * @throws IllegalStateException if there is none, or more than one
   */
  public static <T> T one(Class<T> type, ServiceLoader<T> loader, String advice) {
    List<T> found = loader.stream().map(ServiceLoader.Provider::get).toList();
    if (found.isEmpty()) {
      throw new IllegalStateException("no " + type.getSimpleName() + " found: " + advice);
    }
    if (found.size() > 1) {
      List<String> names = found.stream().map(one -> one.getClass().getName()).toList();
      throw new IllegalStateException(
          "more than one " + type.getSimpleName() + " found: " + names + "; keep one");
    }
    return found.get(0);
  }
}

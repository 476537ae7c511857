package dev.percolate.engine;

import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Finds the providers of services on the class path or module path. */
public final class Providers {

  private Providers() {}

  /**
   * Returns the only provider of a service.
   *
   * @param type the service
   * @param loader the service loader, created by the module that uses the service
   * @param advice the advice in the error message if there is no provider
   * @param <T> the service
   * @throws IllegalStateException if there is no provider, or more than one
   */
  public static <T> T one(Class<T> type, ServiceLoader<T> loader, String advice) {
    return one(type, all(loader), advice, "keep one");
  }

  /**
   * Returns the provider of a service that a system property selects, or the only provider if the
   * property is not set.
   *
   * @param type the service
   * @param loader the service loader, created by the module that uses the service
   * @param advice the advice in the error message if there is no provider
   * @param property the property; its value is the last part of a provider's package, such as
   *     {@code nio}, or its class name
   * @param <T> the service
   * @throws IllegalStateException if there is no provider, no provider of that name, or more than
   *     one
   */
  public static <T> T one(Class<T> type, ServiceLoader<T> loader, String advice, String property) {
    return named(type, all(loader), advice, property, System.getProperty(property, ""));
  }

  static <T> T named(Class<T> type, List<T> found, String advice, String property, String name) {
    if (name.isEmpty() || found.isEmpty()) {
      return one(type, found, advice, "keep one, or select one with -D" + property);
    }
    List<T> named = found.stream().filter(one -> isNamed(one.getClass(), name)).toList();
    if (named.size() != 1) {
      throw new IllegalStateException(property + "=" + name + ": must name one of " + names(found));
    }
    return named.get(0);
  }

  private static <T> T one(Class<T> type, List<T> found, String advice, String wayOut) {
    if (found.isEmpty()) {
      throw new IllegalStateException("no " + type.getSimpleName() + " found: " + advice);
    }
    if (found.size() > 1) {
      throw new IllegalStateException(
          "more than one " + type.getSimpleName() + " found: " + names(found) + "; " + wayOut);
    }
    return found.get(0);
  }

  /**
   * Returns the only provider of an optional service.
   *
   * @param type the service
   * @param loader the service loader, created by the module that uses the service
   * @param <T> the service
   * @return null if there is none
   * @throws IllegalStateException if there is more than one
   */
  public static <T> @Nullable T find(Class<T> type, ServiceLoader<T> loader) {
    List<T> found = all(loader);
    return found.isEmpty() ? null : one(type, found, "", "keep one");
  }

  /**
   * Returns all providers of a service.
   *
   * @param loader the service loader, created by the module that uses the service
   * @param <T> the service
   * @throws IllegalStateException if a provider cannot be created, for example because a library is
   *     missing
   */
  public static <T> List<T> all(ServiceLoader<T> loader) {
    try {
      return loader.stream().map(ServiceLoader.Provider::get).toList();
    } catch (ServiceConfigurationError | LinkageError e) {
      throw broken(e);
    }
  }

  /**
   * Checks that a library that a module needs is on the class path or module path.
   *
   * @param module the artifact of the module, such as {@code percolate-zstd}
   * @param library the group and artifact of the library
   * @param use uses the classes of the library that the module needs
   * @throws IllegalStateException if a class is missing; the message names module and library
   */
  public static void requireLibrary(String module, String library, Runnable use) {
    try {
      use.run();
    } catch (LinkageError e) {
      throw new IllegalStateException(
          module
              + " needs "
              + library
              + ", which is missing or has another version. Add it, or remove "
              + module
              + ".",
          e);
    }
  }

  /**
   * Returns the exception to throw if a provider cannot be created. If the provider threw an {@link
   * IllegalStateException}, the exception has its message.
   *
   * @param error the error of the service loader
   */
  public static IllegalStateException broken(Error error) {
    Throwable cause = error.getCause();
    String reason =
        cause instanceof IllegalStateException ? cause.getMessage() : reason(error, cause);
    return new IllegalStateException(reason, error);
  }

  private static String reason(Error error, @Nullable Throwable cause) {
    String library =
        cause instanceof LinkageError || error instanceof LinkageError
            ? "; a required library may be missing from the class path"
            : "";
    return error.getMessage() + (cause == null ? "" : ": " + cause) + library;
  }

  private static boolean isNamed(Class<?> provider, String name) {
    return provider.getName().equals(name) || provider.getPackageName().endsWith("." + name);
  }

  private static <T> List<String> names(List<T> providers) {
    return providers.stream().map(one -> one.getClass().getName()).toList();
  }
}

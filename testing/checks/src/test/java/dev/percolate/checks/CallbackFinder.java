package dev.percolate.checks;

import dev.percolate.core.Key;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Finds the callbacks of all exported packages: parameters and types for code that an application
 * supplies and Percolate calls. Each has a name.
 *
 * <pre>
 *   Response.onFinish(Runnable)    a parameter of a method, or a part of one
 *   Settings.ETAG(ETagFunction)    a setting
 *   RejectionListener                a type without such a method: found by instanceof, or loaded
 * </pre>
 */
final class CallbackFinder {

  private final SortedMap<String, Class<?>> found = new TreeMap<>();

  private CallbackFinder() {}

  /**
   * Returns the callbacks by name, each with its type.
   *
   * @param modules the modules to search
   */
  static SortedMap<String, Class<?>> find(List<String> modules)
      throws IOException, ClassNotFoundException {
    CallbackFinder finder = new CallbackFinder();
    List<Class<?>> types = new ArrayList<>();
    for (String module : modules) {
      types.addAll(Signatures.types(Modules.classes(module)));
    }
    types.forEach(finder::look);
    for (Class<?> type : types) {
      if (isImplemented(type) && !finder.found.containsValue(type)) {
        finder.found.put(name(type), type);
      }
    }
    return finder.found;
  }

  private void look(Class<?> type) {
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      look(type, "new", constructor);
    }
    for (Method method : type.getDeclaredMethods()) {
      if (!method.isBridge()) {
        look(type, method.getName(), method);
      }
    }
    for (Field field : type.getDeclaredFields()) {
      if (isSeen(field.getModifiers()) && field.getType() == Key.class) {
        add(name(type) + "." + field.getName(), field.getGenericType());
      }
    }
  }

  private void look(Class<?> type, String name, Executable executable) {
    if (isSeen(executable.getModifiers()) && !executable.isSynthetic()) {
      for (Type parameter : executable.getGenericParameterTypes()) {
        add(name(type) + "." + name, parameter);
      }
    }
  }

  private static boolean isSeen(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  /** Adds a type if it is a callback, and the callbacks that it contains. */
  private void add(String where, Type type) {
    Class<?> raw = raw(type);
    if (isImplemented(raw)) {
      found.put(where + "(" + name(raw) + ")", raw);
    } else if (raw.isArray()) {
      add(
          where,
          type instanceof GenericArrayType array
              ? array.getGenericComponentType()
              : raw.componentType());
    } else if (contains(raw) && type instanceof ParameterizedType parameterized) {
      Arrays.stream(parameterized.getActualTypeArguments()).forEach(one -> add(where, one));
    }
  }

  private static boolean contains(Class<?> raw) {
    return Stream.of(Collection.class, Map.class, Key.class)
        .anyMatch(one -> one.isAssignableFrom(raw));
  }

  private static Class<?> raw(Type type) {
    if (type instanceof Class<?> plain) {
      return plain;
    } else if (type instanceof ParameterizedType parameterized) {
      return (Class<?>) parameterized.getRawType();
    } else if (type instanceof WildcardType wildcard) {
      Type[] lower = wildcard.getLowerBounds();
      return raw(lower.length > 0 ? lower[0] : wildcard.getUpperBounds()[0]);
    } else if (type instanceof GenericArrayType array) {
      return raw(array.getGenericComponentType()).arrayType();
    }
    return Object.class; // a type variable
  }

  /** Returns true if applications implement a type: one of our interfaces, or a functional one. */
  private static boolean isImplemented(Class<?> type) {
    boolean ours = type.getName().startsWith("dev.percolate.");
    boolean extended = ours && Modifier.isAbstract(type.getModifiers()) && !type.isInterface();
    return !type.isSealed()
        && !type.isAnnotation()
        && !type.isPrimitive()
        && !type.isArray()
        && (extended || (type.isInterface() && (ours || isFunctional(type))));
  }

  private static boolean isFunctional(Class<?> type) {
    return Arrays.stream(type.getMethods())
            .filter(method -> Modifier.isAbstract(method.getModifiers()))
            .filter(method -> !isOfObject(method))
            .count()
        == 1;
  }

  private static boolean isOfObject(Method method) {
    try {
      return Modifier.isPublic(
          Object.class.getMethod(method.getName(), method.getParameterTypes()).getModifiers());
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  private static String name(Class<?> type) {
    Class<?> around = type.getEnclosingClass();
    return around == null ? type.getSimpleName() : name(around) + "." + type.getSimpleName();
  }
}

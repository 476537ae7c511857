package dev.percolate.inspector.reload;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds and calls {@code main} by the rules of the JDK 25 launcher (JEP 512). */
final class MainMethod {

  private MainMethod() {}

  /**
   * Calls {@code main} of a class.
   *
   * @throws Throwable the exception or error that it throws
   */
  static void call(Class<?> type, List<String> arguments) throws Throwable {
    Method main =
        find(type, String[].class)
            .or(() -> find(type))
            .orElseThrow(() -> new NoSuchMethodException(type.getName() + " has no method main"));
    main.setAccessible(true); // the class need not be public
    try {
      Object target = Modifier.isStatic(main.getModifiers()) ? null : instance(type);
      Object args = arguments.toArray(String[]::new);
      Object ignored =
          main.getParameterCount() == 0 ? main.invoke(target) : main.invoke(target, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static Object instance(Class<?> type) throws ReflectiveOperationException {
    Constructor<?> constructor = type.getDeclaredConstructor();
    constructor.setAccessible(true);
    return constructor.newInstance();
  }

  private static Optional<Method> find(Class<?> type, Class<?>... parameters) {
    for (Class<?> one = type; one != null; one = one.getSuperclass()) {
      try {
        Method main = one.getDeclaredMethod("main", parameters);
        if (!Modifier.isPrivate(main.getModifiers())) {
          return Optional.of(main);
        }
      } catch (NoSuchMethodException e) {
        // perhaps in the superclass
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the name of the class that a source file was compiled to.
   *
   * @param source the path of the file
   * @param classes the folder of the classes
   */
  static String classOf(String source, Path classes) throws IOException, ClassNotFoundException {
    String name = new File(source).getName();
    String file = name.replaceFirst("\\.kt$", "Kt").replaceFirst("\\.java$", "") + ".class";
    try (Stream<Path> all = Files.walk(classes)) {
      Path found =
          all.filter(one -> one.toFile().getName().equalsIgnoreCase(file)) // hello.kt: HelloKt
              .findFirst()
              .orElseThrow(() -> new ClassNotFoundException(source + " defines no " + file));
      String path = classes.relativize(found).toString();
      return path.replaceFirst("\\.class$", "").replace(File.separatorChar, '.');
    }
  }
}

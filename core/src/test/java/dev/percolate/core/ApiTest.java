package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Compares the public signatures of core with {@code api/core.txt}, so that every change of them is
 * seen in review. {@code -Dapi.update=true} writes the file anew.
 */
class ApiTest {

  private static final Path FILE = Path.of("api", "core.txt");

  @Test
  void publicSignaturesAreThoseOfTheCheckedInFile() throws Exception {
    String found = dump();
    if (Boolean.getBoolean("api.update")) {
      Files.createDirectories(FILE.toAbsolutePath().getParent());
      Files.writeString(FILE, found);
    }
    assertEquals(
        Files.readString(FILE),
        found,
        "the public signatures changed: say so in the commit, adapt every module, and write the file"
            + " anew by mvn -pl core -am test -Dtest=ApiTest -Dapi.update=true"
            + " -Dsurefire.failIfNoSpecifiedTests=false");
  }

  private static String dump() throws IOException, ClassNotFoundException {
    List<String> names;
    Path classes = Path.of("target", "classes", "dev", "percolate", "core");
    try (Stream<Path> files = Files.list(classes)) {
      names =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".class") && !name.equals("package-info.class"))
              .map(name -> "dev.percolate.core." + name.replace(".class", ""))
              .sorted()
              .toList();
    }
    StringBuilder text = new StringBuilder();
    for (String name : names) {
      Class<?> type = Class.forName(name, false, ApiTest.class.getClassLoader());
      if (isApi(type)) {
        describe(type, text);
      }
    }
    return text.toString();
  }

  private static boolean isApi(Class<?> type) {
    for (Class<?> one = type; one != null; one = one.getEnclosingClass()) {
      if (!Modifier.isPublic(one.getModifiers()) || one.isAnonymousClass() || one.isSynthetic()) {
        return false;
      }
    }
    return true;
  }

  private static void describe(Class<?> type, StringBuilder text) {
    text.append(declaration(type)).append(heritage(type)).append('\n');
    List<String> members = new ArrayList<>();
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      add(members, constructor, type.getSimpleName() + parameters(constructor));
    }
    addFieldsAndMethods(members, type);
    Class<?> parent = type.getSuperclass();
    if (isHidden(parent)) {
      addFieldsAndMethods(members, parent);
    }
    members.stream()
        .distinct()
        .sorted()
        .forEach(member -> text.append("  ").append(member).append('\n'));
  }

  private static void addFieldsAndMethods(List<String> members, Class<?> type) {
    for (Field field : type.getDeclaredFields()) {
      add(members, field, field.getGenericType().getTypeName() + " " + field.getName());
    }
    for (Method method : type.getDeclaredMethods()) {
      boolean promised = isHidden(type) && Modifier.isAbstract(method.getModifiers());
      if (!method.isBridge() && !promised) {
        String result = method.getGenericReturnType().getTypeName();
        add(members, method, result + " " + method.getName() + parameters(method));
      }
    }
  }

  /** Tells whether users see the members of a class, but not the class itself. */
  private static boolean isHidden(@Nullable Class<?> type) {
    return type != null && type != Object.class && !Modifier.isPublic(type.getModifiers());
  }

  /** Writes the same on every JDK, unlike {@link Class#toGenericString}. */
  private static String declaration(Class<?> type) {
    String kind = type.isInterface() ? "interface " : type.isEnum() ? "enum " : "class ";
    boolean open = !type.isInterface() && !Modifier.isFinal(type.getModifiers());
    String parameters =
        Arrays.stream(type.getTypeParameters())
            .map(one -> one.getName() + " : " + one.getBounds()[0].getTypeName())
            .collect(Collectors.joining(", ", "<", ">"));
    return (type.isSealed() ? "sealed " : "")
        + (open ? Modifier.isAbstract(type.getModifiers()) ? "abstract " : "open " : "")
        + (type.isRecord() ? "record " : type.isAnnotation() ? "annotation " : kind)
        + type.getName()
        + (parameters.equals("<>") ? "" : parameters);
  }

  private static String heritage(Class<?> type) {
    List<Type> above = new ArrayList<>(Arrays.asList(type.getGenericInterfaces()));
    Class<?> parent = type.getSuperclass();
    if (parent != null && parent != Object.class && !isHidden(parent)) {
      above.add(0, type.getGenericSuperclass());
    }
    return above.isEmpty()
        ? ""
        : above.stream().map(Type::getTypeName).collect(Collectors.joining(", ", " : ", ""));
  }

  private static <M extends AccessibleObject & Member> void add(
      List<String> members, M member, String signature) {
    int modifiers = member.getModifiers();
    boolean seen = Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    if (seen && !member.isSynthetic()) {
      String kept =
          Modifier.toString(modifiers & (Modifier.PROTECTED | Modifier.STATIC | Modifier.ABSTRACT));
      members.add((kept.isEmpty() ? "" : kept + " ") + signature);
    }
  }

  private static String parameters(Executable executable) {
    return Arrays.stream(executable.getGenericParameterTypes())
        .map(Type::getTypeName)
        .collect(Collectors.joining(", ", "(", ")"));
  }
}

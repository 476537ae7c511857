package dev.percolate.checks;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
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

/** Returns the public signatures of a module as text that is the same on every JDK. */
final class Signatures {

  private Signatures() {}

  /**
   * Returns the signatures of the packages that a module exports to all modules.
   *
   * @param classes the directory of its compiled classes, which are also on the class path
   */
  static String of(Path classes) throws IOException, ClassNotFoundException {
    StringBuilder text = new StringBuilder();
    types(classes).forEach(type -> describe(type, text));
    return text.toString();
  }

  /**
   * Returns the public types of the packages that a module exports to all modules.
   *
   * @param classes the directory of its compiled classes, which are also on the class path
   */
  static List<Class<?>> types(Path classes) throws IOException, ClassNotFoundException {
    List<Class<?>> types = new ArrayList<>();
    for (String name : names(classes)) {
      Class<?> type = Class.forName(name, false, Signatures.class.getClassLoader());
      if (isApi(type)) {
        types.add(type);
      }
    }
    return types;
  }

  private static List<String> names(Path classes) throws IOException {
    List<String> names = new ArrayList<>();
    for (String exported : exports(classes)) {
      try (Stream<Path> files = Files.list(classes.resolve(exported.replace('.', '/')))) {
        files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".class") && !name.equals("package-info.class"))
            .map(name -> exported + "." + name.replace(".class", ""))
            .forEach(names::add);
      }
    }
    return names.stream().sorted().toList();
  }

  /** Returns the names of the packages that a module exports to all modules. */
  static List<String> exports(Path classes) throws IOException {
    try (InputStream descriptor = Files.newInputStream(classes.resolve("module-info.class"))) {
      return ModuleDescriptor.read(descriptor).exports().stream()
          .filter(exported -> !exported.isQualified())
          .map(ModuleDescriptor.Exports::source)
          .toList();
    }
  }

  /** Returns true if a class and all enclosing classes are public. */
  private static boolean isApi(Class<?> type) {
    for (Class<?> one = type; one != null; one = one.getEnclosingClass()) {
      if (!Modifier.isPublic(one.getModifiers()) || one.isAnonymousClass() || one.isSynthetic()) {
        return false;
      }
    }
    return true;
  }

  static void describe(Class<?> type, StringBuilder text) {
    text.append(declaration(type)).append(heritage(type)).append('\n');
    List<String> members = new ArrayList<>();
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      add(members, constructor, type.getSimpleName() + parameters(constructor));
    }
    addFieldsAndMethods(members, type);
    for (Class<?> one = type.getSuperclass(); isHidden(one); one = one.getSuperclass()) {
      addFieldsAndMethods(members, one);
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

  /** Returns true if users see the members of a class, but not the class itself. */
  private static boolean isHidden(@Nullable Class<?> type) {
    return type != null && type != Object.class && !Modifier.isPublic(type.getModifiers());
  }

  /** Returns the declaration. {@link Class#toGenericString} differs between JDKs. */
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
    Class<?> last = type;
    List<Type> above = new ArrayList<>(interfaces(last));
    while (isHidden(last.getSuperclass())) {
      last = last.getSuperclass();
      above.addAll(interfaces(last));
    }
    if (last.getSuperclass() != null && last.getSuperclass() != Object.class) {
      above.add(0, last.getGenericSuperclass());
    }
    return above.isEmpty()
        ? ""
        : above.stream().map(Type::getTypeName).collect(Collectors.joining(", ", " : ", ""));
  }

  private static List<Type> interfaces(Class<?> type) {
    List<Type> interfaces = new ArrayList<>();
    for (int i = 0; i < type.getInterfaces().length; i++) {
      if (!isHidden(type.getInterfaces()[i])) {
        interfaces.add(type.getGenericInterfaces()[i]);
      }
    }
    return interfaces;
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

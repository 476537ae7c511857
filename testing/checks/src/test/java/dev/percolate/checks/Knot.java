package dev.percolate.checks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Classes of one module that all depend on each other, including their nested classes.
 *
 * @param classes the simple names of the top-level classes, sorted
 */
record Knot(String module, List<String> classes) {

  /** Returns the knots of all modules, in the order of the build and the largest first. */
  static List<Knot> ofAllModules() throws IOException {
    List<Knot> knots = new ArrayList<>();
    for (String module : Modules.all()) {
      Components.of(ClassGraph.of(Modules.classes(module))).stream()
          .map(names -> new Knot(module, names.stream().map(Knot::simple).sorted().toList()))
          .sorted(Comparator.comparing((Knot knot) -> -knot.size()).thenComparing(Knot::toString))
          .forEach(knots::add);
    }
    return knots;
  }

  /** Parses the result of {@link #toString}. */
  static Knot of(String line) {
    String[] words = line.split(" ", -1);
    return new Knot(words[0], Arrays.stream(words).skip(2).toList());
  }

  int size() {
    return classes.size();
  }

  long common(Knot other) {
    return module.equals(other.module)
        ? classes.stream().filter(other.classes::contains).count()
        : 0;
  }

  @Override
  public String toString() {
    return module + " " + size() + " " + String.join(" ", classes);
  }

  private static String simple(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }
}

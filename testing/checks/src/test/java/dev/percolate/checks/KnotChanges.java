package dev.percolate.checks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The differences between the found and the listed knots, as one sentence for each knot.
 *
 * <p>A found knot corresponds to the listed knot with which it has the most classes in common. So a
 * class may be renamed, and a knot may split, without growth.
 *
 * @param grown the new knots, and those with more classes than before
 * @param others the knots that are gone, are smaller, or have other classes than before
 */
record KnotChanges(List<String> grown, List<String> others) {

  static KnotChanges between(List<Knot> listed, List<Knot> found) {
    List<String> grown = new ArrayList<>();
    List<String> others = new ArrayList<>();
    Map<Knot, List<Knot>> remains = new LinkedHashMap<>();
    listed.forEach(knot -> remains.put(knot, new ArrayList<>()));
    for (Knot knot : found) {
      Optional<Knot> before =
          listed.stream()
              .filter(one -> one.common(knot) > 0)
              .max(Comparator.comparing(knot::common));
      before.ifPresentOrElse(
          one -> remains.get(one).add(knot),
          () -> grown.add(knot.module() + ": a new knot of " + names(knot.classes())));
    }
    remains.forEach(
        (knot, now) -> {
          int size = now.stream().mapToInt(Knot::size).sum();
          if (!now.equals(List.of(knot))) {
            (size > knot.size() ? grown : others).add(change(knot, now));
          }
        });
    return new KnotChanges(grown, others);
  }

  private static String change(Knot knot, List<Knot> now) {
    List<String> classes = now.stream().map(Knot::classes).flatMap(Collection::stream).toList();
    List<String> joined = without(classes, knot.classes());
    List<String> left = without(knot.classes(), classes);
    String sizes = String.join(" + ", now.stream().map(one -> "" + one.size()).toList());
    return (knot.module() + ": the knot of " + knot.size() + " classes")
        + (now.isEmpty() ? " is gone" : " now has " + sizes)
        + (joined.isEmpty() ? "" : "; joined: " + names(joined))
        + (left.isEmpty() ? "" : "; left: " + names(left));
  }

  private static List<String> without(List<String> classes, List<String> others) {
    return classes.stream().filter(one -> !others.contains(one)).toList();
  }

  private static String names(List<String> classes) {
    return classes.size() + " (" + String.join(", ", classes) + ")";
  }
}

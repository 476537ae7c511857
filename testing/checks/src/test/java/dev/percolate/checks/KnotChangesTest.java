package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KnotChangesTest {

  @Test
  void sameKnotsHaveNoChanges() {
    List<Knot> knots = knots("core 2 A B", "core 2 C D");
    assertEquals(new KnotChanges(List.of(), List.of()), KnotChanges.between(knots, knots));
  }

  @Test
  void aNewKnotIsGrowth() {
    assertGrown("core: a new knot of 2 (A, B)", knots(), knots("core 2 A B"));
  }

  @Test
  void aKnotOfTheSameNamesInAnotherModuleIsNew() {
    List<Knot> listed = knots("core 2 A B");
    assertGrown("json: a new knot of 2 (A, B)", listed, knots("core 2 A B", "json 2 A B"));
  }

  @Test
  void aLargerKnotIsGrowthAndNamesTheClassesThatJoined() {
    assertGrown(
        "core: the knot of 3 classes now has 4; joined: 2 (D, E); left: 1 (A)",
        knots("core 3 A B C"),
        knots("core 4 B C D E"));
  }

  @Test
  void knotsThatBecomeOneAreGrowth() {
    KnotChanges changes =
        KnotChanges.between(knots("core 3 A B C", "core 2 D E"), knots("core 5 A B C D E"));
    assertEquals(
        List.of("core: the knot of 3 classes now has 5; joined: 2 (D, E)"), changes.grown());
    assertEquals(List.of("core: the knot of 2 classes is gone; left: 2 (D, E)"), changes.others());
  }

  @Test
  void partsWithMoreClassesThanTheWholeAreGrowth() {
    assertGrown(
        "core: the knot of 4 classes now has 2 + 3; joined: 1 (E)",
        knots("core 4 A B C D"),
        knots("core 2 A B", "core 3 C D E"));
  }

  @Test
  void aSmallerKnotIsAnotherChange() {
    assertOther(
        "core: the knot of 3 classes now has 2; left: 1 (C)",
        knots("core 3 A B C"),
        knots("core 2 A B"));
  }

  @Test
  void aSplitKnotIsAnotherChange() {
    assertOther(
        "core: the knot of 5 classes now has 2 + 2; left: 1 (E)",
        knots("core 5 A B C D E"),
        knots("core 2 A B", "core 2 C D"));
  }

  @Test
  void aKnotThatHasGoneIsAnotherChange() {
    assertOther(
        "core: the knot of 2 classes is gone; left: 2 (A, B)", knots("core 2 A B"), knots());
  }

  @Test
  void aRenamedClassIsAnotherChange() {
    assertOther(
        "core: the knot of 2 classes now has 2; joined: 1 (C); left: 1 (B)",
        knots("core 2 A B"),
        knots("core 2 A C"));
  }

  private static void assertGrown(String expected, List<Knot> listed, List<Knot> found) {
    assertEquals(new KnotChanges(List.of(expected), List.of()), KnotChanges.between(listed, found));
  }

  private static void assertOther(String expected, List<Knot> listed, List<Knot> found) {
    assertEquals(new KnotChanges(List.of(), List.of(expected)), KnotChanges.between(listed, found));
  }

  private static List<Knot> knots(String... lines) {
    return Arrays.stream(lines).map(Knot::of).toList();
  }
}

package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class SignaturesTest {

  @Test
  void membersThatUsersSeeAreListedWithTheirHeritage() {
    assertSignatures(
        Sample.class,
        """
        open class dev.percolate.checks.SignaturesTest$Sample<T : java.lang.Number> : java.util.function.Supplier<T>
          Sample(java.util.List<? extends T>)
          T get()
          protected static int count
        """);
  }

  @Test
  void membersOfHiddenParentsAreListedForTheChild() {
    assertSignatures(
        Child.class,
        """
        class dev.percolate.checks.SignaturesTest$Child : java.lang.AutoCloseable
          Child()
          void close()
          void ofGrandparent()
          void ofParent()
        """);
  }

  @Test
  void annotationsEnumsAndRecordsAreNamedAsSuch() {
    assertSignatures(
        Thread.State.class,
        """
        enum java.lang.Thread$State : java.lang.Enum<java.lang.Thread$State>
          static java.lang.Thread$State BLOCKED
          static java.lang.Thread$State NEW
          static java.lang.Thread$State RUNNABLE
          static java.lang.Thread$State TERMINATED
          static java.lang.Thread$State TIMED_WAITING
          static java.lang.Thread$State WAITING
          static java.lang.Thread$State valueOf(java.lang.String)
          static java.lang.Thread$State[] values()
        """);
    assertSignatures(
        Pair.class,
        """
        record dev.percolate.checks.SignaturesTest$Pair : java.lang.Record
          Pair(int)
          boolean equals(java.lang.Object)
          int hashCode()
          int one()
          java.lang.String toString()
        """);
    assertSignatures(
        Override.class, "annotation java.lang.Override : java.lang.annotation.Annotation\n");
  }

  private static void assertSignatures(Class<?> type, String expected) {
    StringBuilder text = new StringBuilder();
    Signatures.describe(type, text);
    assertEquals(expected, text.toString());
  }

  /** Has members of different visibility. */
  public static class Sample<T extends Number> implements Supplier<T> {
    protected static int count = 1;
    int hidden = count;
    private final T first;

    public Sample(List<? extends T> all) {
      first = all.get(hidden);
    }

    @Override
    public T get() {
      return first;
    }
  }

  static class Grandparent {
    public void ofGrandparent() {}
  }

  interface Hidden {}

  static class Parent extends Grandparent implements AutoCloseable, Hidden {
    public void ofParent() {}

    @Override
    public void close() {}

    void hidden() {}
  }

  /** Inherits members. */
  public static final class Child extends Parent {
    public Child() {}
  }

  /** A record. */
  public record Pair(int one) {}
}

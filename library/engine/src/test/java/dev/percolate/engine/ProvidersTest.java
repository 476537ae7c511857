package dev.percolate.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.Test;

/** The selection of a provider. */
final class ProvidersTest {

  private static final Iterable<?> LIST = new ArrayList<>();
  private static final Iterable<?> SET = new LinkedHashSet<>();

  private static Object named(String name, Iterable<?>... found) {
    return Providers.named(Iterable.class, List.of(found), "add one", "some.property", name);
  }

  @Test
  void theOnlyProviderIsUsedWithoutAName() {
    assertSame(LIST, named("", LIST));
  }

  @Test
  void aProviderIsSelectedByClassName() {
    assertSame(SET, named("java.util.LinkedHashSet", LIST, SET));
  }

  @Test
  void aProviderIsSelectedByTheLastPartOfItsPackage() {
    Iterable<?> here = new Here();
    assertSame(here, named("engine", LIST, here));
  }

  /** A provider in another package. */
  private static final class Here extends ArrayList<Object> {
    private static final long serialVersionUID = 1;
  }

  @Test
  void severalProvidersWithoutANameAreAnError() {
    IllegalStateException e = assertThrows(IllegalStateException.class, () -> named("", LIST, SET));
    assertEquals(
        "more than one Iterable found: [java.util.ArrayList, java.util.LinkedHashSet]; keep one, or"
            + " select one with -Dsome.property",
        e.getMessage());
  }

  @Test
  void unknownAndAmbiguousNamesAreErrors() {
    for (String name : List.of("java.util.TreeSet", "util")) {
      IllegalStateException e =
          assertThrows(IllegalStateException.class, () -> named(name, LIST, SET));
      assertEquals(
          "some.property="
              + name
              + ": must name one of [java.util.ArrayList, java.util.LinkedHashSet]",
          e.getMessage());
    }
  }

  @Test
  void noProviderIsAnErrorWithAdvice() {
    IllegalStateException e = assertThrows(IllegalStateException.class, () -> named("engine"));
    assertEquals("no Iterable found: add one", e.getMessage());
  }

  @Test
  void aMissingLibraryIsNamedTogetherWithItsModule() {
    LinkageError missing = new NoClassDefFoundError("org/example/Missing");
    IllegalStateException e =
        assertThrows(
            IllegalStateException.class,
            () ->
                Providers.requireLibrary(
                    "percolate-x",
                    "org.example:x",
                    () -> {
                      throw missing;
                    }));
    assertEquals(
        "percolate-x needs org.example:x, which is missing or has another version."
            + " Add it, or remove percolate-x.",
        e.getMessage());
    ServiceConfigurationError wrapped = new ServiceConfigurationError("not created", e);
    assertEquals(e.getMessage(), Providers.broken(wrapped).getMessage());
    assertEquals(
        "org/example/Missing; a required library may be missing from the class path",
        Providers.broken(missing).getMessage());
  }
}

package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class TemplateEngineTest {

  record Entry(String name) {

    String name(String prefix) {
      return prefix + name;
    }

    String secret() {
      return "no component";
    }
  }

  @Test
  void onlyAccessorsOfRecordComponentsAreAccepted() throws Exception {
    assertTrue(TemplateEngine.isComponent(Entry.class.getDeclaredMethod("name")));
    assertFalse(TemplateEngine.isComponent(Entry.class.getDeclaredMethod("name", String.class)));
    assertFalse(TemplateEngine.isComponent(Entry.class.getDeclaredMethod("secret")));
    assertFalse(TemplateEngine.isComponent(Entry.class.getMethod("toString")));
    assertFalse(TemplateEngine.isComponent(String.class.getMethod("length")));
  }
}

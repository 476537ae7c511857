package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Settings;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SettingsMapTest {

  private final Settings settings = new Settings().set("title", "Shop").set("none", null);
  private final Map<String, @Nullable Object> locals = new HashMap<>();

  @Test
  void settingsAreReadByName() {
    Map<String, @Nullable Object> map = new SettingsMap(settings);
    assertEquals("Shop", map.get("title"));
    assertTrue(map.containsKey("none"));
    assertNull(map.get("none"));
    assertFalse(map.containsKey("absent"));
    settings.set("title", "Store");
    assertEquals("Store", map.get("title"));
  }

  @Test
  void printedAsAWholeItShowsNothing() {
    assertEquals("{}", new SettingsMap(settings).toString());
  }

  @Test
  void onlySettingsOfAnApplicationBecomeAMap() {
    locals.put("settings", settings);
    locals.put("a", 1);
    Map<String, @Nullable Object> seen = SettingsMap.in(locals);
    assertEquals("Shop", ((Map<?, ?>) seen.get("settings")).get("title"));
    assertEquals(1, seen.get("a"));
    assertSame(settings, locals.get("settings"));
    Map<String, String> given = Map.of("title", "of a query");
    locals.put("settings", given);
    assertSame(given, SettingsMap.in(locals).get("settings"));
  }
}

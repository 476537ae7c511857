package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RouteListingTest {

  @ParameterizedTest
  @ValueSource(strings = {"com.example.Main", "Main --routes x", "--routes", "Main --routes=x", ""})
  void otherArgumentsStartTheServer(String command) {
    assertFalse(RouteListing.isRequested(command, "development"));
  }

  @Test
  void inProductionTheArgumentBelongsToTheApplication() {
    assertTrue(RouteListing.isRequested("app.jar --routes", "development"));
    assertFalse(RouteListing.isRequested("app.jar --routes", "production"));
    System.setProperty("percolate.routes", "true");
    try {
      assertTrue(RouteListing.isRequested("app.jar", "production"));
    } finally {
      System.clearProperty("percolate.routes");
    }
  }
}

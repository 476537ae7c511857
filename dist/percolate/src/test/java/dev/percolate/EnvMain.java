package dev.percolate;

import dev.percolate.framework.App;

/** Prints the environment mode of a new application, and its indentation of JSON. */
final class EnvMain {

  private EnvMain() {}

  public static void main(String[] args) {
    App app = new App();
    System.out.println(app.get("env") + " " + app.get("json spaces"));
  }
}

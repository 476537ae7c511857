package dev.percolate;

import dev.percolate.framework.App;

/** Tells the environment mode of a new application, and how far it indents JSON in it. */
final class EnvMain {

  private EnvMain() {}

  public static void main(String[] args) {
    App app = new App();
    System.out.println(app.get("env") + " " + app.get("json spaces"));
  }
}

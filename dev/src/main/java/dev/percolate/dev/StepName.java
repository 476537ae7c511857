package dev.percolate.dev;

import dev.percolate.core.Middleware;
import dev.percolate.framework.App;

/** What a step is, for people. */
final class StepName {

  private StepName() {}

  /** Returns the name of a step's class, of a lambda that of the class it stands in. */
  static String of(Middleware step) {
    if (step instanceof App) {
      return "application";
    }
    String name = step.getClass().getName();
    int slash = name.indexOf('/');
    String whole = slash < 0 ? name : name.substring(0, slash);
    String simple = whole.substring(whole.lastIndexOf('.') + 1);
    int lambda = simple.indexOf("$$Lambda");
    return lambda < 0 ? simple : "lambda of " + simple.substring(0, lambda);
  }
}

import org.jspecify.annotations.NullMarked;

/** The application: its chain of layers, its routes and what they are matched by. */
@NullMarked
module dev.percolate.framework {
  requires transitive dev.percolate.core;
  requires static java.logging;
  requires static transitive org.jspecify;

  exports dev.percolate.framework;

  uses System.LoggerFinder;
  uses dev.percolate.framework.TemplateEngine;
}

import org.jspecify.annotations.NullMarked;

/** Applications: middleware, routing, views and settings. */
@NullMarked
module dev.percolate.framework {
  requires transitive dev.percolate.core;
  requires static transitive org.jspecify;

  exports dev.percolate.framework;

  uses System.LoggerFinder;
  uses dev.percolate.framework.TemplateEngine;
}

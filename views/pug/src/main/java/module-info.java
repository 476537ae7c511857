import org.jspecify.annotations.NullMarked;

/** Renders Pug templates with pug4j. */
@NullMarked
module dev.percolate.views.pug {
  requires transitive dev.percolate.framework;
  requires de.neuland.pug4j;
  // pug4j needs these modules but, as an automatic module, cannot declare them.
  requires com.github.benmanes.caffeine;
  requires com.google.gson;
  requires org.apache.commons.collections4;
  requires org.apache.commons.io;
  requires org.apache.commons.jexl3;
  requires org.apache.commons.lang3;
  requires org.apache.commons.logging;
  requires org.apache.commons.text;
  requires org.graalvm.polyglot;
  requires org.slf4j;
  requires static org.jspecify;

  exports dev.percolate.views.pug;

  provides dev.percolate.framework.TemplateEngine with
      dev.percolate.views.pug.PugViews;
}

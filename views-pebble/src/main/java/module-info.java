import org.jspecify.annotations.NullMarked;

/** The template engine by Pebble. */
@NullMarked
module dev.percolate.views.pebble {
  requires transitive dev.percolate.framework;
  requires io.pebbletemplates;
  requires org.slf4j; // Pebble's need, which it cannot tell as an automatic module
  requires static org.jspecify;

  exports dev.percolate.views.pebble;

  provides dev.percolate.framework.TemplateEngine with
      dev.percolate.views.pebble.PebbleViews;
}

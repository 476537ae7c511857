import org.jspecify.annotations.NullMarked;

/** Renders Pebble templates. */
@NullMarked
module dev.percolate.views.pebble {
  requires transitive dev.percolate.framework;
  requires io.pebbletemplates;
  requires org.slf4j; // Pebble needs it but, as an automatic module, cannot declare it
  requires static org.jspecify;

  exports dev.percolate.views.pebble;

  provides dev.percolate.framework.TemplateEngine with
      dev.percolate.views.pebble.PebbleViews;
}

import org.jspecify.annotations.NullMarked;

/** Renders Mustache templates. */
@NullMarked
module dev.percolate.views.mustache {
  requires transitive dev.percolate.framework;
  requires com.github.mustachejava;
  requires java.logging; // Mustache needs it but, as an automatic module, cannot declare it
  requires static org.jspecify;

  exports dev.percolate.views.mustache;

  provides dev.percolate.framework.TemplateEngine with
      dev.percolate.views.mustache.MustacheViews;
}

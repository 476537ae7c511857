import org.jspecify.annotations.NullMarked;

/** The template engine by Mustache. */
@NullMarked
module dev.percolate.views.mustache {
  requires transitive dev.percolate.framework;
  requires com.github.mustachejava;
  requires java.logging; // Mustache's need, which it cannot tell as an automatic module
  requires static org.jspecify;

  exports dev.percolate.views.mustache;

  provides dev.percolate.framework.TemplateEngine with
      dev.percolate.views.mustache.MustacheViews;
}

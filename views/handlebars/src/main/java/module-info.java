import org.jspecify.annotations.NullMarked;

/** Renders Handlebars templates. */
@NullMarked
module dev.percolate.views.handlebars {
  requires transitive dev.percolate.framework;
  requires com.github.jknack.handlebars;
  requires static org.jspecify;

  exports dev.percolate.views.handlebars;

  provides dev.percolate.framework.TemplateEngine with
      dev.percolate.views.handlebars.HandlebarsViews;
}
